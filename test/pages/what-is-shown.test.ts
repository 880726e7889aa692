/** A page shows what was asked for last, the document on record, and nothing of an earlier session. */
import { expect } from 'chai'
import type { Browser } from 'playwright-core'
import type { Pages } from '../../server/operations/signer/messages.ts'
import { openBrowser, visitor } from '../support/browser/browser.ts'
import { openInbox } from '../support/browser/inbox-page.ts'
import { aCreateBody, SIGNER, TEMPLATE } from '../support/service/a-create-body.ts'
import { aService, type TestService } from '../support/service/a-service.ts'
import { aWaitingOrder } from '../support/service/a-waiting-order.ts'

describe('what a page shows', function () {
  // A browser is slow at times, when other work runs beside it.
  this.timeout(60_000)
  let browser: Browser
  let service: TestService
  before(async () => {
    ;[browser, service] = await Promise.all([openBrowser(), aService()])
    await aWaitingOrder(service)
  })
  after(async () => {
    await browser?.close()
    await service?.stop()
  })

  it('is never a PDF other than the one on record', async () => {
    const inbox = await openInbox(browser, service)
    await inbox.page.route('**/pages', async (route) => {
      const pages: Pages = await (await route.fetch()).json()
      await route.fulfill({ json: { ...pages, sha256: '0'.repeat(64) } })
    })
    await inbox.signInAs('Ruth Calder')
    await inbox.page.getByRole('link', { name: 'Alma Whitfield' }).click()
    await inbox.page.getByText('The file was altered on its way here.').waitFor()
    expect(await inbox.page.locator('.sheet').count()).to.equal(0)
    await inbox.close()
  })

  it('is not what somebody filled in before signing out, who had it removed', async () => {
    const inbox = await openInbox(browser, service)
    const text = inbox.field('TextArea').locator('textarea')
    await inbox.signInAs('Ruth Calder')
    await inbox.open('Alma Whitfield')
    await text.fill('Not to be kept.')
    await inbox.page.getByRole('link', { name: 'Signed' }).click()
    await inbox.page.goBack()
    await text.waitFor()
    expect(await text.inputValue(), 'kept while the session lasts').to.equal('Not to be kept.')
    await inbox.button('Sign out').click()
    await inbox.button('Remove drafts and sign out').click()
    await inbox.signInAs('Ruth Calder')
    await inbox.open('Alma Whitfield')
    expect(await text.inputValue()).to.equal('Continue as ordered.')
    await inbox.close()
  })

  it('is the answer to the last request, though an earlier one was answered later', async () => {
    const failed = await service.create(aCreateBody({ performer: { signer: { userNPI: SIGNER.unknown } } }))
    await service.reaches(failed, 'Failed')
    const { page, close } = await visitor(browser)
    await page.goto(`${service.baseUrl}/console#/tasks`)
    await page.getByRole('button', { name: 'Service operator' }).click()
    await page.getByRole('link', { name: String(failed) }).waitFor()
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route('**/tasks?*status=Pending*', async (route) => {
      await held
      await route.continue()
    })
    await page.getByLabel('Status').selectOption('Pending')
    await page.getByLabel('Status').selectOption('Failed')
    await page.getByRole('cell', { name: 'Pending' }).waitFor({ state: 'detached' })
    const late = page.waitForResponse(/status=Pending/)
    release()
    await late
    await page.getByRole('link', { name: 'Receivers' }).focus()
    expect(await page.getByRole('cell', { name: 'Pending' }).count()).to.equal(0)
    expect(await page.getByRole('cell', { name: 'Failed' }).count()).to.equal(1)
    await close()
  })

  it('on a phone has checkboxes that can be tapped around their box, as far as the text above them allows', async () => {
    const inbox = await openInbox(browser, service, { width: 390, height: 844 })
    await inbox.signInAs('Ruth Calder')
    await inbox.open('Alma Whitfield')
    const input = (await inbox.page.getByRole('checkbox', { name: /^Checkbox/ }).boundingBox())!
    const text = (await inbox.field('TextArea').boundingBox())!
    const own = (await inbox.field('CheckBox').boundingBox())!
    expect(input.width).to.be.greaterThan(3 * own.width)
    expect(input.y - (text.y + text.height)).to.be.closeTo(own.y - input.y, 1)
    await inbox.close()
  })

  it('is what the sender gave for the signer: how to reach the patient, the diagnosis, what the date means', async () => {
    const { document } = aCreateBody()
    const annotations = { type: 'Template', templateId: TEMPLATE.certification } as const
    const telecoms = [{ system: 'phone', value: '218-555-0101', use: 'home' }]
    const body = aCreateBody({ patient: { telecoms }, document: { ...document, annotations, diagnosisCode: 'I50.9' } })
    const taskId = await service.create(body)
    await service.reaches(taskId, 'Pending')
    const inbox = await openInbox(browser, service)
    await inbox.signInAs('Ruth Calder')
    await inbox.page.locator(`a[href$="/${taskId}"]`).click()
    const detail = (name: string) => inbox.page.locator(`dt:text-is("${name}") + dd`)
    expect(await detail('Contact').textContent()).to.include('218-555-0101')
    expect(await detail('Diagnosis code').textContent()).to.equal('I50.9')
    expect(await detail('Certification period start').textContent()).not.to.equal('')
    await inbox.close()
  })
})
