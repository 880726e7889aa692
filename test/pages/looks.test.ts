/** The inbox and the page that verifies, in both colour schemes, wide and narrow: pictures to look at, and no serious fault. */
import { readFile } from 'node:fs/promises'
import { expect } from 'chai'
import type { Browser } from 'playwright-core'
import { openBrowser, visitor } from '../support/browser/browser.ts'
import { goodLook, looks } from '../support/browser/good-look.ts'
import { openInbox } from '../support/browser/inbox-page.ts'
import { runningClock } from '../support/fake-clock.ts'
import { aPdf } from '../support/pdf/a-pdf.ts'
import { signedByOthers } from '../support/sealed/signed-by-others.ts'
import { aService, type TestService } from '../support/service/a-service.ts'
import { aWaitingOrder } from '../support/service/a-waiting-order.ts'

const patients = [
  { externalId: 'WILLOW|1', names: [{ family: 'Whitfield', given: ['Alma'] }], birthDate: '1948-03-12' },
  { externalId: 'WILLOW|2', names: [{ family: 'O’Brien-Smith', given: ['Declan'] }], birthDate: '1951-11-02' },
  { externalId: 'WILLOW|3', names: [{ family: 'Núñez', given: ['José'] }], birthDate: '1939-07-25' },
].map((patient, index) => ({
  ...patient,
  sex: index === 0 ? ('Female' as const) : ('Male' as const),
  identifiers: [{ authority: 'mrn' as const, value: `WC10000${index + 1}` }],
}))
const LONG_AGO_MS = 9 * 24 * 60 * 60 * 1000

describe('the look of the inbox', function () {
  // A browser is slow at times, when other work runs beside it.
  this.timeout(60_000)
  const clock = runningClock()
  let browser: Browser
  let service: TestService
  before(async () => {
    ;[browser, service] = await Promise.all([openBrowser(), aService({ clock })])
    clock.advance(-LONG_AGO_MS)
    await aWaitingOrder(service, { patient: patients[1] })
    clock.advance(LONG_AGO_MS)
    for (const patient of [patients[0], patients[2]]) await aWaitingOrder(service, { patient })
    const past = await aWaitingOrder(service, { patient: patients[1] })
    await service.rejects(past)
    await service.signs(await aWaitingOrder(service, { patient: patients[0] }))
  })
  after(async () => {
    await browser?.close()
    await service?.stop()
  })

  for (const look of looks)
    it(`is without fault at ${look.width} pixels`, async () => {
      const inbox = await openInbox(browser, service, look)
      const { page, button, field } = inbox
      const check = (name: string) => goodLook(inbox, name)
      await button('Ruth Calder').waitFor()
      await check('sign-in')
      await page.getByLabel('E-mail').fill('ruth@practice.example')
      await page.getByLabel('Password').fill('not the password')
      await button('Sign in').first().click()
      await page.getByText('The e-mail address or the password is wrong.').waitFor()
      await check('sign-in-refused')
      // The browser itself reports the refused call.
      inbox.errors.length = 0
      await inbox.signInAs('Ruth Calder')
      await page.getByRole('link', { name: 'José Núñez' }).waitFor()
      await check('list')
      await page.getByRole('searchbox').fill('nunez')
      expect(await page.locator('a.document').count()).to.equal(1)
      await page.getByRole('searchbox').fill('alma nunez')
      await page.getByText('No document matches the search.').waitFor()
      await check('list-nothing-found')
      await page.getByRole('searchbox').fill('')

      await inbox.open('Alma Whitfield')
      await check('document')
      if (look.width < 500) {
        await field('TextArea').locator('button').click()
        await check('text-dialog')
        await button('Done').click()
      }
      await field('VisibleSignature').locator('button').click()
      await inbox.draw()
      await check('signature-dialog')
      await page.getByRole('radio', { name: 'Type' }).check()
      await check('signature-typed')
      await page.getByRole('radio', { name: 'Draw' }).check()
      await inbox.draw()
      await button('Use this signature').click()
      await inbox.inked('VisibleSignature')
      await check('signature-in-document')
      await page.getByRole('checkbox', { name: /^Checkbox/ }).check()
      await inbox.ready()
      await page.getByText('Ready to sign').waitFor()
      await check('ready')
      await button('Reject').click()
      await button('Not my patient').click()
      await check('reject-dialog')
      await page.keyboard.press('Escape')
      await page.locator('.desk-head a').click()
      await page.getByRole('link', { name: 'Signed' }).click()
      await page.getByText('Rejected', { exact: true }).waitFor()
      await check('history')
      await page.goto(`${service.service.inboxUrl}#/documents/999999`)
      await page.getByText('Document 999999 does not wait for you').waitFor()
      await check('document-gone')
      inbox.errors.length = 0
      await inbox.close()

      const other = await openInbox(browser, service, look)
      await other.signInAs('Ian Voss')
      await other.page.getByRole('heading', { name: 'No documents to sign' }).waitFor()
      await goodLook(other, 'list-empty')
      await other.page.getByRole('link', { name: 'Signed' }).click()
      await other.page.getByText('You have not signed anything yet.').waitFor()
      await goodLook(other, 'history-empty')
      expect(other.errors).to.deep.equal([])
      await other.close()
    })

  it('verifies a dropped document, and says so without fault', async () => {
    const inbox = await openInbox(browser, service)
    await inbox.signInAs('Ruth Calder')
    await inbox.page.getByRole('link', { name: 'Signed' }).click()
    const download = inbox.page.waitForEvent('download')
    await inbox.page.getByRole('link', { name: 'PDF of the signed document of Alma Whitfield' }).click()
    const signed = await readFile(await (await download).path())
    await inbox.close()
    const changed = Buffer.from(signed)
    changed[changed.indexOf('/Type')]! ^= 1
    const foreign = Buffer.from(await signedByOthers(await aPdf({})))

    for (const look of looks) {
      const verifier = await visitor(browser, look)
      const { page } = verifier
      await page.goto(`${service.baseUrl}/verify`)
      await goodLook(verifier, 'verify')
      const give = (buffer: Buffer) =>
        page.locator('input[type=file]').setInputFiles({ name: 'order.pdf', mimeType: 'application/pdf', buffer })
      await give(signed)
      await page.getByRole('heading', { name: 'TEST: unchanged, but not a legal signature' }).waitFor()
      await goodLook(verifier, 'verify-valid')
      expect(await page.getByText('Covers the whole document').isVisible()).to.equal(false)
      await page.getByText('Details').click()
      await page.getByText('Covers the whole document').waitFor()
      await goodLook(verifier, 'verify-valid-details')
      await give(changed)
      await page.getByRole('heading', { name: 'Not valid' }).waitFor()
      await goodLook(verifier, 'verify-not-valid')
      await give(foreign)
      await page.getByRole('heading', { name: 'Signed by an unknown signer' }).waitFor()
      await goodLook(verifier, 'verify-signed-by-other')
      await give(Buffer.from('hello'))
      await page.getByRole('heading', { name: 'Not a PDF' }).waitFor()
      await goodLook(verifier, 'verify-not-a-pdf')
      expect(verifier.errors).to.deep.equal([])
      await verifier.close()
    }
  })
})
