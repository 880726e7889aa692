/** The picture in which a signer sees the ink, against the picture of the document that was sealed, on the same page. */
import { expect } from 'chai'
import type { Browser } from 'playwright-core'
import { openBrowser } from '../../support/browser/browser.ts'
import { type InboxPage, openInbox } from '../../support/browser/inbox-page.ts'
import { expectedOf, sealedAsSeen } from '../../support/browser/sealed-as-seen.ts'
import { eventually } from '../../support/eventually.ts'
import { stampableTexts } from '../../support/pdf/names-of-all-scripts.ts'
import { randomFrom } from '../../support/random.ts'
import { installed } from '../../support/seen/external-checks.ts'
import { aService, type TestService } from '../../support/service/a-service.ts'
import { aWaitingOrder } from '../../support/service/a-waiting-order.ts'

/** Chooses a name in Arabic, with marks. */
const SEED = 12

describe('the preview in the browser', function () {
  // A browser is slow at times, when other work runs beside it.
  this.timeout(60_000)
  let browser: Browser
  let service: TestService
  before(async () => {
    ;[browser, service] = await Promise.all([openBrowser(), aService()])
  })
  after(async () => {
    await browser?.close()
    await service?.stop()
  })

  const canvasOf = ({ page }: InboxPage) =>
    page.evaluate<string>(`document.querySelector('.sheet[data-page="1"] canvas').toDataURL()`)

  async function openedBy(signer: InboxPage): Promise<InboxPage> {
    await signer.signInAs('Ruth Calder')
    await signer.open('Alma Whitfield')
    return signer
  }

  it('is the sealed document, pixel by pixel', async () => {
    const id = await aWaitingOrder(service)
    const inbox = await openedBy(await openInbox(browser, service))
    await inbox.inked('DateSigned')
    const bare = await canvasOf(inbox)
    await inbox.field('TextArea').locator('textarea').fill('Łukasz: 50 % less, twice a week.')
    await inbox.page.getByRole('checkbox', { name: /^Checkbox/ }).check()
    await inbox.field('VisibleSignature').locator('button').click()
    await inbox.page.getByRole('radio', { name: 'Type' }).check()
    await inbox.button('Use this signature').click()
    await inbox.ready()
    for (const type of ['TextArea', 'CheckBox', 'VisibleSignature']) await inbox.inked(type)
    const previewed = await canvasOf(inbox)
    await inbox.shoot('previewed')
    await inbox.sign()
    await inbox.said('Signed:')
    await inbox.page.goto(`${service.service.inboxUrl}#/signed/${id}`)
    // Until the signed document is there, a sheet of the page before may be.
    await eventually(async () => expect((await canvasOf(inbox)) === previewed, 'the same picture').to.equal(true))
    expect(previewed === bare, 'the ink is on it').to.equal(false)
    expect(inbox.errors).to.deep.equal([])
    await inbox.close()
  })

  if (installed.pdftotext)
    it('is the sealed document in any script: typed, pre-filled, and as the name of the signer', async () => {
      const becomes = await sealedAsSeen(service, browser)
      // All of them are taken by test/long/pages/names.long.ts.
      const text = randomFrom(SEED).pick(stampableTexts)
      expect(await becomes(text, 1), text).to.deep.equal(expectedOf(text))
    })
})
