/** The canvas on which a signer sees the ink, against the canvas of the document that was sealed, in the same viewer. */
import { createHash } from 'node:crypto'
import { expect } from 'chai'
import type { Browser } from 'playwright-core'
import type { Opened } from '../../../server/operations/signer/messages.ts'
import { openBrowser } from '../../support/browser/browser.ts'
import { type InboxPage, openInbox } from '../../support/browser/inbox-page.ts'
import { expectedOf, sealedAsSeen } from '../../support/browser/sealed-as-seen.ts'
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

  /** Opens an order whose document, on its way to the page, is replaced by this one, without fields. */
  async function shown(pdf: Buffer): Promise<InboxPage> {
    await aWaitingOrder(service)
    const inbox = await openInbox(browser, service)
    await inbox.page.route(/documents\/\d+$/, async (route) => {
      const opened: Opened = await (await route.fetch()).json()
      const sha256 = createHash('sha256').update(pdf).digest('hex')
      await route.fulfill({ json: { ...opened, sha256, fields: [] } })
    })
    await inbox.page.route('**/pdf', (route) => route.fulfill({ contentType: 'application/pdf', body: pdf }))
    await inbox.page.route('**/preview', (route) => route.fulfill({ json: { addition: '', sha256: '' } }))
    return openedBy(inbox)
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
    await inbox.button('Sign document').click()
    await inbox.said('Signed:')
    expect(inbox.errors).to.deep.equal([])
    await inbox.close()

    const { output } = await service.client.readTask({ params: { id }, query: { includeOutputAttachment: true } })
    const sealed = await shown(Buffer.from(output!.attachment!, 'base64'))
    expect((await canvasOf(sealed)) === previewed, 'the same picture').to.equal(true)
    expect(previewed === bare, 'the ink is on it').to.equal(false)
    await sealed.close()
  })

  if (installed.pdftotext)
    it('is the sealed document in any script: typed, pre-filled, and as the name of the signer', async () => {
      const becomes = await sealedAsSeen(service, browser)
      // All of them are taken by test/long/pages/names.long.ts.
      const text = randomFrom(SEED).pick(stampableTexts)
      expect(await becomes(text, 1), text).to.deep.equal(expectedOf(text))
    })
})
