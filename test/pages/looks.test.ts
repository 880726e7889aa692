/** The pages in both colour schemes, wide and narrow: pictures to look at, and no serious fault of accessibility. */
import { readFile } from 'node:fs/promises'
import { expect } from 'chai'
import type { Browser } from 'playwright-core'
import { aService, type TestService } from '../support/a-service.ts'
import { aWaitingOrder } from '../support/a-waiting-order.ts'
import { accessibilityFaults } from '../support/axe.ts'
import { openBrowser, visitor } from '../support/browser.ts'
import { type InboxPage, openInbox } from '../support/inbox-page.ts'

const patients = [
  { externalId: 'WILLOW|1', names: [{ family: 'Whitfield', given: ['Alma'] }], birthDate: '1948-03-12' },
  { externalId: 'WILLOW|2', names: [{ family: 'O’Brien-Smith', given: ['Declan'] }], birthDate: '1951-11-02' },
  { externalId: 'WILLOW|3', names: [{ family: 'Núñez', given: ['José'] }], birthDate: '1939-07-25' },
].map((patient, index) => ({
  ...patient,
  sex: index === 0 ? ('Female' as const) : ('Male' as const),
  identifiers: [{ authority: 'mrn' as const, value: `WC10000${index + 1}` }],
}))

describe('the look of the pages', function () {
  // A browser beside other work is slow now and then.
  this.timeout(60_000)
  let browser: Browser
  let service: TestService
  before(async () => {
    ;[browser, service] = await Promise.all([openBrowser(), aService()])
    for (const patient of patients) await aWaitingOrder(service, { patient })
    const past = await aWaitingOrder(service, { patient: patients[1] })
    await service.rejects(past)
    await service.signs(await aWaitingOrder(service, { patient: patients[0] }))
  })
  after(async () => {
    await browser?.close()
    await service?.stop()
  })

  const check = async ({ page, shoot }: Pick<InboxPage, 'page' | 'shoot'>, name: string) => {
    await shoot(name)
    expect(await accessibilityFaults(page), name).to.deep.equal([])
  }

  for (const width of [1280, 390])
    for (const scheme of ['light', 'dark'] as const)
      it(`is without fault at ${width} pixels, ${scheme}`, async () => {
        const inbox = await openInbox(browser, service, { width, scheme, height: width < 500 ? 844 : 900 })
        await inbox.button('Ruth Calder').waitFor()
        await check(inbox, 'sign-in')
        await inbox.signInAs('Ruth Calder')
        await inbox.page.getByRole('link', { name: 'José Núñez' }).waitFor()
        await check(inbox, 'list')
        await inbox.page.getByRole('searchbox').fill('nunez')
        expect(await inbox.page.locator('a.document').count()).to.equal(1)
        await inbox.page.getByRole('searchbox').fill('')
        await inbox.open('Alma Whitfield')
        await check(inbox, 'document')
        await inbox.field('VisibleSignature').locator('button').click()
        await inbox.page.locator('.pad canvas').waitFor()
        await check(inbox, 'signature-dialog')
        await inbox.page.keyboard.press('Escape')
        await inbox.button('Reject').click()
        await check(inbox, 'reject-dialog')
        await inbox.page.keyboard.press('Escape')
        await inbox.page.getByRole('link', { name: 'Signed' }).click()
        await inbox.page.getByText('Rejected', { exact: true }).waitFor()
        await check(inbox, 'history')
        expect(inbox.errors).to.deep.equal([])
        await inbox.close()
      })

  it('verifies a dropped document, and says so without fault', async () => {
    const inbox = await openInbox(browser, service)
    await inbox.signInAs('Ruth Calder')
    await inbox.page.getByRole('link', { name: 'Signed' }).click()
    const download = inbox.page.waitForEvent('download')
    await inbox.page.getByRole('link', { name: 'PDF of the signed document of Alma Whitfield' }).click()
    const buffer = await readFile(await (await download).path())
    await inbox.close()

    for (const scheme of ['light', 'dark'] as const) {
      const verifier = await visitor(browser, { scheme })
      await verifier.page.goto(`${service.baseUrl}/verify`)
      await verifier.page.locator('input[type=file]').setInputFiles({
        name: 'order.pdf',
        mimeType: 'application/pdf',
        buffer,
      })
      await verifier.page.getByRole('heading', { name: 'Valid', exact: true }).waitFor()
      await check(verifier, 'verify')
      expect(verifier.errors).to.deep.equal([])
      await verifier.close()
    }
  })
})
