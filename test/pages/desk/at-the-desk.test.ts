/** Small things of the inbox that a signer stumbles over: names, times, overlapping fields, the first stroke, initials, the focus. */
import { expect } from 'chai'
import type { Browser } from 'playwright-core'
import { openBrowser, visitor } from '../../support/browser/browser.ts'
import { type InboxPage, openInbox } from '../../support/browser/inbox-page.ts'
import { eventually } from '../../support/eventually.ts'
import { runningClock } from '../../support/fake-clock.ts'
import { aCreateBody, type TaskChange } from '../../support/service/a-create-body.ts'
import { aService, type TestService } from '../../support/service/a-service.ts'

const DAY_MS = 24 * 60 * 60 * 1000
/** `Ann Adams` with a character that turns what follows around. */
const TURNED = 'Ann \u202Esmadam'

describe('at the desk', function () {
  // A browser is slow at times, when other work runs beside it.
  this.timeout(60_000)
  const clock = runningClock()
  let browser: Browser
  let service: TestService
  let inbox: InboxPage
  before(async () => {
    ;[browser, service] = await Promise.all([openBrowser(), aService({ clock })])
  })
  after(async () => {
    await browser?.close()
    await service?.stop()
  })
  let sent: number[] = []
  afterEach(async () => {
    await inbox.close()
    for (const id of sent) await service.client.retractTask({ params: { id }, query: { reason: 'Done with' } })
    sent = []
  })
  const order = async (family: string, document: TaskChange['document'] = {}) => {
    const names = [{ family, given: ['Ida'] }]
    const patient = { externalId: `DESK|${family.length}|${sent.length}`, names, identifiers: null }
    const id = await service.create(aCreateBody({ patient, document }))
    sent.push(id)
    await service.reaches(id, 'Pending')
    return id
  }
  const visit = async (look = {}) => {
    inbox = await openInbox(browser, service, look)
    await inbox.signInAs('Ruth Calder')
  }
  const overflow = () =>
    inbox.page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth')

  it('shows a name of 250 characters within the page, and one that turns text around as it is written', async () => {
    const long = await order('W'.repeat(250))
    await order(TURNED)
    for (const width of [1280, 390]) {
      await visit({ width })
      await inbox.page.locator('a.document').first().waitFor()
      expect(await overflow(), `list at ${width}`).to.equal(0)
      await inbox.shoot('list-names')
      expect(await inbox.page.locator('.documents').textContent()).not.to.include('\u202E')
      await inbox.open('WWWW')
      expect(await overflow(), `desk at ${width}`).to.equal(0)
      await inbox.shoot('desk-names')
      const reject = (await inbox.button('Reject').boundingBox())!
      if (width < 500) expect(reject.y + reject.height, 'what can be done').to.be.at.most(900)
      if (width === 1280) await inbox.close()
    }
    const { page, close } = await visitor(browser, { width: 390 })
    await page.goto(`${service.baseUrl}/console#/tasks/${long}`)
    await page.getByRole('button', { name: 'Service operator' }).click()
    await page.getByText('WWWW').first().waitFor()
    const wide = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'
    expect(await page.evaluate<number>(wide), 'console').to.equal(0)
    await close()
  })

  it('tells ages and the day of signing by the clock of the service', async () => {
    await order('Clock')
    clock.advance(8 * DAY_MS)
    try {
      await visit({ timeZone: 'UTC' })
      await inbox.page.getByText('1 document overdue').waitFor()
      expect(await inbox.page.locator('.age').textContent()).to.equal('Overdue, waiting: 8 days')
      await inbox.open('Clock')
      const today = new Date(Date.now() + 8 * DAY_MS).toISOString().slice(0, 10)
      await inbox.inked('DateSigned')
      await inbox.page.locator('.textLayer').getByText(today, { exact: true }).last().waitFor()
    } finally {
      await inbox.close()
      clock.advance(-8 * DAY_MS)
    }
  })

  it('takes a tap on a date that lies over the signature as one on the signature', async () => {
    const box = { pageNumber: 1, left: 72, top: 600, right: 300, bottom: 640 }
    const data = [
      { type: 'VisibleSignature', required: true, ...box },
      { type: 'DateSigned', ...box, left: 200 },
    ] as const
    await order('Overlap', { annotations: { type: 'Json', data: [...data] } })
    await visit({ width: 390, height: 844, touch: true })
    await inbox.open('Overlap')
    // Not under the guide.
    await inbox.page.evaluate(`document.querySelector('.field.DateSigned').scrollIntoView({ block: 'center' })`)
    const date = (await inbox.field('DateSigned').boundingBox())!
    await inbox.page.touchscreen.tap(date.x + date.width / 2, date.y + date.height / 2)
    await inbox.page.getByRole('dialog', { name: 'Your signature' }).waitFor()
  })

  it('shows no token below what is filled in, and no field over another', async () => {
    await order('Tokens', { annotations: { type: 'SmartAnnotations' } })
    await visit()
    await inbox.open('Tokens')
    const isBlank = () =>
      inbox.page.evaluate<boolean>(`{
        const canvas = document.querySelector('.sheet canvas')
        const [sheet, box] = [canvas, document.querySelector('.field.TextArea')].map((it) => it.getBoundingClientRect())
        const perPixel = canvas.width / sheet.width
        const place = [box.left - sheet.left, box.top - sheet.top, box.width, box.height].map((at) => Math.round(at * perPixel))
        canvas.getContext('2d').getImageData(...place).data.every((value) => value > 250)
      }`)
    await inbox.inked('DateSigned')
    await eventually(async () => expect(await isBlank(), 'where the token of the text stood').to.equal(true))
    const boxes = await Promise.all((await inbox.page.locator('.field').all()).map((field) => field.boundingBox()))
    const [first, ...rest] = boxes.map((box) => box!).sort((a, b) => a.y - b.y)
    let end = first!.y + first!.height
    for (const { y, height } of rest) {
      expect(y).to.be.at.least(end - 1)
      end = y + height
    }
  })

  it('keeps a stroke that begins as soon as there is a pad, also after Draw, Type, Draw', async () => {
    await order('Stroke')
    await visit()
    const { page, button } = inbox
    await inbox.open('Stroke')
    await inbox.field('VisibleSignature').locator('button').click()
    for (const way of ['Draw', 'Type', 'Draw']) await page.getByRole('radio', { name: way }).check()
    await inbox.draw()
    expect(await button('Use this signature').isEnabled()).to.equal(true)
    await button('Use this signature').click()
    await inbox.inked('VisibleSignature')
  })

  it('fills the initials into a short text field in one tap, and says which field a dialog is for', async () => {
    const short = {
      type: 'TextArea',
      required: true,
      pageNumber: 1,
      left: 72,
      top: 500,
      right: 132,
      bottom: 518,
    } as const
    await order('Initials', { annotations: { type: 'Json', data: [short, { ...short, top: 540, bottom: 558 }] } })
    await visit()
    await inbox.open('Initials')
    await inbox.button('Initials RC').click()
    expect(await inbox.field('TextArea').first().locator('textarea').inputValue()).to.equal('RC')
    await inbox.close()
    await visit({ width: 390, height: 844 })
    await inbox.open('Initials')
    await inbox.field('TextArea').last().locator('button').click()
    await inbox.page.getByRole('dialog', { name: 'Text 2, page 1, required' }).waitFor()
    await inbox.button('Fill in my initials, RC').click()
    expect(await inbox.field('TextArea').last().locator('button').getAttribute('aria-label')).to.match(/: RC$/)
  })

  it('has the focus on the heading of each page, from signing in to signing out', async () => {
    const id = await order('Focus')
    await visit()
    const focused = (text: string) => inbox.page.locator('h1:focus', { hasText: text }).waitFor()
    await focused('1 document to sign')
    await inbox.open('Focus')
    await focused('Ida Focus')
    await inbox.page.goto(`${service.service.inboxUrl}#/documents/${id + 999}`)
    await focused('The document is not open')
    await inbox.page.goto(`${service.service.inboxUrl}#/tray`)
    await focused('Sign all')
    await inbox.page.getByRole('link', { name: 'Signed' }).click()
    await focused('Signed and rejected')
    await inbox.button('Sign out').click()
    await focused('Sign in to your inbox')
  })
})
