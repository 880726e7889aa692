/** An operator who gets a call: finds the order, sees who signed, and resends what a receiver missed. By keyboard where it is quicker. */
import { expect } from 'chai'
import type { Browser } from 'playwright-core'
import { accessibilityFaults } from '../support/browser/axe.ts'
import { type Opened, openBrowser, visitor } from '../support/browser/browser.ts'
import { eventually } from '../support/eventually.ts'
import { TestReceiver } from '../support/network/test-receiver.ts'
import { aCreateBody } from '../support/service/a-create-body.ts'
import { aService, type TestService } from '../support/service/a-service.ts'

describe('a call to the operator', function () {
  this.timeout(60_000)
  let browser: Browser
  let service: TestService
  let receiver: TestReceiver
  let open: Opened
  const ids: number[] = []
  before(async () => {
    ;[browser, service, receiver] = await Promise.all([openBrowser(), aService(), TestReceiver.start()])
    const { secret } = await service.client.createSubscription({
      body: { url: receiver.url, description: 'Willow EHR' },
    })
    receiver.secrets.push(secret)
    for (const [family, birthDate] of [
      ['Müller', '1948-03-12'],
      ['Smith', '1948-03-12'],
      ['Smith', '1961-07-30'],
    ] as const) {
      const body = aCreateBody({
        patient: { externalId: `${family}-${birthDate}`, birthDate, names: [{ family, given: ['Joan'] }] },
      })
      ids.push(await service.create(body))
    }
    for (const id of ids) await service.reaches(id, 'Pending')
    await service.signs(ids[0]!)
    await eventually(() => expect(receiver.received.length).to.be.at.least(4))
  })
  after(async () => {
    await browser?.close()
    await service?.stop()
    await receiver?.stop()
  })
  afterEach(async () => {
    const { errors } = open
    await open.close()
    expect(errors).to.deep.equal([])
  })

  const visit = async () => {
    open = await visitor(browser)
    await open.page.goto(`${service.baseUrl}/console#/tasks`)
    await open.page.getByRole('button', { name: 'Service operator' }).click()
    await open.page.getByRole('heading', { name: 'Tasks' }).waitFor()
    return open.page
  }
  const heading = (name: string) => open.page.getByRole('heading', { level: 1, name }).waitFor()

  it('“where is the order of this patient, and who signed it?”: the name, and Enter', async () => {
    const page = await visit()
    await page.keyboard.press('/')
    await page.keyboard.type('muller')
    await page.keyboard.press('Enter')
    await heading(`Task ${ids[0]}`)
    await page.getByText('Signed as').first().waitFor()
    expect(page.url()).not.to.match(/muller/i)
  })

  it('“Smith”: two are found, each opens, and Back leads to the results', async () => {
    const page = await visit()
    await page.getByRole('searchbox', { name: 'Find a task' }).fill('smith')
    await page.keyboard.press('Enter')
    const results = page.getByRole('region', { name: 'Tasks of patients with this name or birth date' })
    await results.getByRole('link').first().waitFor()
    expect(await results.getByRole('link').count()).to.equal(2)
    expect(await accessibilityFaults(page)).to.deep.equal([])
    expect(page.url()).not.to.match(/smith/i)
    await results.getByRole('link', { name: `${ids[2]}` }).click()
    await heading(`Task ${ids[2]}`)
    await page.goBack()
    await results.getByRole('link').first().waitFor()
    await page.getByRole('searchbox').fill('smith 7/30/1961')
    await page.keyboard.press('Enter')
    await heading(`Task ${ids[2]}`)
  })

  it('“which of the orders are not signed?”: a filter in the address, and a file of it', async () => {
    const page = await visit()
    await page.getByLabel('Status').selectOption('Pending')
    await page.getByRole('row').nth(2).waitFor()
    await eventually(async () => expect(await page.locator('tbody tr').count()).to.equal(2))
    expect(page.url()).to.include('status=Pending')
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save as CSV' }).click(),
    ])
    expect(file.suggestedFilename()).to.equal('tasks.csv')
    expect(await accessibilityFaults(page)).to.deep.equal([])
    await page.getByRole('link', { name: `${ids[1]}` }).click()
    await heading(`Task ${ids[1]}`)
    await page.goBack()
    await eventually(async () => expect(await page.locator('tbody tr').count()).to.equal(2))
  })

  it('“send us again what you sent yesterday”: the receiver, its window, a count, and a question', async () => {
    const page = await visit()
    await page.getByRole('link', { name: 'Receivers' }).click()
    await page.getByRole('link', { name: 'Willow EHR' }).click()
    await heading('Willow EHR')
    await page.getByText('Nothing to resend.').waitFor()
    await page.getByLabel('Delivered').check()
    await page.getByText(/callbacks would go out/).waitFor()
    expect(await accessibilityFaults(page)).to.deep.equal([])
    const before = receiver.received.length
    await page.getByRole('button', { name: 'Resend', exact: true }).click()
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Resend/ })
      .click()
    await page.getByText(/queued to go out now/).waitFor()
    await eventually(() => expect(receiver.received.length).to.be.at.least(before * 2))
  })
})
