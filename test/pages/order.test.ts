/** The page of an order: what to do next where it is stuck, its document, and its story to the end. */
import { expect } from 'chai'
import type { Browser } from 'playwright-core'
import { accessibilityFaults } from '../support/browser/axe.ts'
import { type Opened, openBrowser, visitor } from '../support/browser/browser.ts'
import { goodLook, looks } from '../support/browser/good-look.ts'
import { eventually } from '../support/eventually.ts'
import { TestReceiver } from '../support/network/test-receiver.ts'
import { aCreateBody } from '../support/service/a-create-body.ts'
import { aService, type TestService } from '../support/service/a-service.ts'

describe('the page of an order', function () {
  this.timeout(90_000)
  let browser: Browser
  let service: TestService
  let receiver: TestReceiver
  let open: Opened
  let signed: number
  let unknown: number
  before(async () => {
    ;[browser, service, receiver] = await Promise.all([
      openBrowser(),
      aService({ staffDocuments: 'all' }),
      TestReceiver.start(),
    ])
    const { secret } = await service.client.createSubscription({
      body: { url: receiver.url, description: 'Willow EHR' },
    })
    receiver.secrets.push(secret)
    unknown = await service.create(aCreateBody({ performer: { signer: { userNPI: '9999900043' } } }))
    await service.reaches(unknown, 'Failed')
    signed = await service.create(aCreateBody())
    await service.reaches(signed, 'Pending')
    await eventually(() => expect(receiver.received.length).to.be.at.least(2))
    receiver.status = 500
    await service.signs(signed)
    await eventually(() => expect(receiver.received.length).to.be.at.least(3))
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

  const visit = async (route: string, look = {}) => {
    open = await visitor(browser, look)
    const { page } = open
    // Chromium without a window shows no PDF, and says so.
    await page.addInitScript("Object.defineProperty(navigator, 'pdfViewerEnabled', { get: () => true })")
    await page.goto(`${service.baseUrl}/console#/${route}`)
    await page.getByRole('button', { name: 'Service operator' }).click()
    await page.getByRole('heading', { level: 1 }).waitFor()
    return page
  }
  const next = () => open.page.getByRole('region', { name: 'What to do next' })

  it('says that its signer is unknown, and leads to the form that adds the signer', async () => {
    const page = await visit(`tasks/${unknown}`)
    await next().getByText('No active signer has NPI 9999900043.').waitFor()
    expect(await accessibilityFaults(page)).to.deep.equal([])
    await next().getByRole('link', { name: 'Add signer 9999900043' }).click()
    await page.getByRole('heading', { name: 'New provider' }).waitFor()
    expect(await page.getByLabel('NPI', { exact: true }).inputValue()).to.equal('9999900043')
  })

  it('shows the signed document in the page, and names the view in the story', async () => {
    const page = await visit(`tasks/${signed}`)
    const document = page.getByRole('region', { name: 'Document' })
    await document.getByRole('button', { name: 'Show signed PDF' }).waitFor()
    expect(await page.locator('iframe').count()).to.equal(0)
    const answered = page.waitForResponse((answer) => answer.url().includes(`/tasks/${signed}/documents/signed`))
    await document.getByRole('button', { name: 'Show signed PDF' }).click()
    const answer = await answered
    expect(answer.status()).to.equal(200)
    await page.locator(`iframe[title="The signed PDF of task ${signed}"]`).waitFor()
    await document.getByRole('button', { name: 'Hide signed PDF' }).click()
    expect(await page.locator('iframe').count()).to.equal(0)
    await page.reload()
    await page.getByText('Signed document opened in the console by Service operator.').first().waitFor()
  })

  it('leads through a receiver that is off to the resend that ends it', async () => {
    const page = await visit(`receivers`)
    await page.getByRole('link', { name: 'Willow EHR' }).click()
    await page.getByRole('button', { name: 'Turn off' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Turn off' }).click()
    await page.getByText('The receiver is off.').waitFor()
    await page.goto(`${service.baseUrl}/console#/tasks/${signed}`)
    await next().getByText('Willow EHR is off').waitFor()
    await next().getByRole('link', { name: 'Open the receiver' }).click()
    await page.getByRole('button', { name: 'Turn on' }).click()
    await page.getByText('The receiver is on.').waitFor()
    receiver.status = 200
    await page.goBack()
    await next().getByText('did not accept the latest status').waitFor()
    const before = receiver.received.length
    await next().getByRole('button', { name: 'Resend now' }).click()
    await next().waitFor({ state: 'detached' })
    await eventually(() => expect(receiver.received.length).to.be.above(before))
    await page.getByText(/Completed sent to Willow EHR: answered 200/).waitFor()
  })

  for (const look of looks)
    it(`is without fault at ${look.width} pixels`, async () => {
      await visit(`tasks/${signed}`, look)
      await open.page.getByRole('region', { name: 'Document' }).waitFor()
      await goodLook(open, 'order-signed')
      await open.page.goto(`${service.baseUrl}/console#/tasks/${unknown}`)
      await next().waitFor()
      await goodLook(open, 'order-stuck')
    })
})
