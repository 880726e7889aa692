/** No document is signed before each of its pages was shown, whether alone or together with others. */
import { expect } from 'chai'
import type { Browser } from 'playwright-core'
import { adoptTypedName } from '../../support/browser/a-stack.ts'
import { openBrowser } from '../../support/browser/browser.ts'
import { type InboxPage, openInbox } from '../../support/browser/inbox-page.ts'
import { aPdf } from '../../support/pdf/a-pdf.ts'
import { aCreateBody } from '../../support/service/a-create-body.ts'
import { aService, type TestService } from '../../support/service/a-service.ts'

const PAGES = [1, 2, 3, 4]
const SIGNATURE = {
  type: 'VisibleSignature' as const,
  pageNumber: 1,
  required: true,
  left: 72,
  top: 600,
  right: 300,
  bottom: 650,
}

describe('a document of several pages', function () {
  // A browser is slow at times, when other work runs beside it.
  this.timeout(90_000)
  let browser: Browser
  let service: TestService
  let inbox: InboxPage
  before(async () => {
    ;[browser, service] = await Promise.all([openBrowser(), aService()])
  })
  after(async () => {
    await browser?.close()
    await service?.stop()
  })
  afterEach(async () => {
    expect(inbox.errors).to.deep.equal([])
    await inbox.close()
    await service.ask('POST', '/sandbox/v1/reset')
  })

  /** Creates an order of four pages, whose signature is on the first, and opens it. */
  async function opened(look: object): Promise<number> {
    const pages = PAGES.map((page) => ({ content: `BT /F1 20 Tf 72 700 Td (Page ${page}) Tj ET` }))
    const attachment = Buffer.from(await aPdf(...pages)).toString('base64')
    const document = { attachment, annotations: { type: 'Json' as const, data: [SIGNATURE] } }
    const taskId = await service.create(aCreateBody({ document }))
    await service.reaches(taskId, 'Pending')
    inbox = await openInbox(browser, service, look)
    await inbox.signInAs('Ruth Calder')
    await inbox.page.goto(`${service.service.inboxUrl}#/documents/${taskId}`)
    await inbox.page.locator('.sheet[data-drawn]').first().waitFor()
    await adoptTypedName(inbox)
    return taskId
  }

  /** The pages that are in sight now. */
  const inSight = () =>
    inbox.page.evaluate<number[]>(`[...document.querySelectorAll('.sheet[data-drawn]')].filter((sheet) => {
      const { top, bottom } = sheet.getBoundingClientRect()
      return top < innerHeight && bottom > 0
    }).map((sheet) => Number(sheet.dataset.page))`)

  for (const [how, look] of [
    ['keyboard', {}],
    ['phone', { width: 390, height: 844, touch: true }],
  ] as const)
    it(`is signed only after the first button has led through all of them (${how})`, async () => {
      const taskId = await opened(look)
      const { page, button } = inbox
      const sent: string[] = []
      page.on('request', (request) => request.url().endsWith('/sign') && sent.push(request.url()))
      const seen = new Set<number>()
      const first = page.locator('.acts-of-guide .primary:enabled')
      await page.getByText('Not all pages shown yet').waitFor()
      while ((await first.textContent()) === 'Continue reading') {
        expect(await button('Sign document').count()).to.equal(0)
        if (how === 'phone') await first.tap()
        else await page.keyboard.press('ControlOrMeta+Enter')
        await page.evaluate('new Promise(requestAnimationFrame)')
        for (const number of await inSight()) seen.add(number)
      }
      expect([...seen].sort(), 'pages shown').to.include.members(PAGES.slice(1))
      expect(sent).to.deep.equal([])
      await inbox.ready()
      await inbox.sign()
      await inbox.said('Signed:')
      await service.reaches(taskId, 'Completed')
      expect(sent).to.have.length(1)
    })

  it('is added to the tray only after that, too, by the same words', async () => {
    await opened({})
    const { page, button, said } = inbox
    await button('Add to tray').click()
    await said('first. You need to have seen every page before you sign.')
    expect(await page.getByRole('link', { name: /^Tray/ }).count()).to.equal(0)
    await inbox.ready()
    await button('Add to tray').click()
    await page.getByRole('link', { name: 'Tray 1' }).waitFor()
  })
})
