/** What goes wrong while a page is open: the service away, the session over, the document gone, the same one in two windows. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import type { Browser, Request } from 'playwright-core'
import { type Opened, openBrowser, visitor } from '../support/browser/browser.ts'
import { goodLook } from '../support/browser/good-look.ts'
import { type InboxPage, openInbox } from '../support/browser/inbox-page.ts'
import { eventually } from '../support/eventually.ts'
import { runningClock } from '../support/fake-clock.ts'
import { aPdf } from '../support/pdf/a-pdf.ts'
import { aCreateBody } from '../support/service/a-create-body.ts'
import { aService, type TestService } from '../support/service/a-service.ts'
import { aWaitingOrder } from '../support/service/a-waiting-order.ts'

/** Evaluated in the page. */
const isInSight = (element: { getBoundingClientRect(): { top: number; bottom: number } }) => {
  const { top, bottom } = element.getBoundingClientRect()
  return top >= 0 && bottom <= 900
}

const ON_FIRST_PAGE = {
  type: 'Json' as const,
  data: [{ type: 'CheckBox' as const, pageNumber: 1, required: false, left: 72, top: 400, right: 84, bottom: 412 }],
}
const IDLE_MS = 30 * 60 * 1000
/** After which a page asks again whether the service answers. */
const ASK_AGAIN_MS = 5_000
/** After which the console connects again. */
const RECONNECT_MS = 5_000

describe('a page that is interrupted', function () {
  // A browser is slow at times, when other work runs beside it.
  this.timeout(60_000)
  const folder = mkdtempSync(join(tmpdir(), 'countersign-interrupted-'))
  const clock = runningClock()
  let browser: Browser
  let service: TestService
  const serve = async (port = 0) => {
    service = await aService({ data: folder, clock, port })
  }
  before(async () => {
    ;[browser] = await Promise.all([openBrowser(), serve()])
  })
  after(async () => {
    await browser?.close()
    await service?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  async function atTheConsole(who = 'Service operator'): Promise<Opened> {
    const opened = await visitor(browser)
    await opened.page.goto(`${service.baseUrl}/console#/tasks`)
    await opened.page.getByRole('button', { name: who }).click()
    await opened.page.getByRole('heading', { name: 'Tasks' }).waitFor()
    return opened
  }
  async function atTheDocument(): Promise<InboxPage> {
    const inbox = await openInbox(browser, service)
    await inbox.signInAs('Ruth Calder')
    await inbox.open('Alma Whitfield')
    return inbox
  }
  const fill = async (inbox: InboxPage) => {
    await inbox.page.getByRole('checkbox', { name: /^Checkbox/ }).check()
    await inbox.field('VisibleSignature').locator('button').click()
    await inbox.page.getByRole('radio', { name: 'Type' }).check()
    await inbox.button('Use this signature').click()
  }
  const AWAY = 'The service cannot be reached.'
  const GONE = 'This document is no longer waiting for you'

  it('says that a document was withdrawn while it is open, and no longer signs it', async () => {
    const taskId = await aWaitingOrder(service)
    const inbox = await atTheDocument()
    await fill(inbox)
    await inbox.ready()
    await service.client.retractTask({ params: { id: taskId }, query: { reason: 'Sent twice' } })
    await inbox.page.getByText(GONE).waitFor()
    await inbox.shoot('document-withdrawn')
    for (const act of ['Sign document', 'Reject']) expect(await inbox.button(act).count(), act).to.equal(0)
    expect(await inbox.page.getByText(GONE).evaluate(isInSight)).to.equal(true)
    await inbox.page.getByRole('link', { name: 'Back to the inbox' }).click()
    await inbox.page.getByRole('heading', { name: 'No documents to sign' }).waitFor()
    expect(inbox.errors).to.deep.equal([])
    await inbox.close()
  })

  it('lets one of two windows sign a document, and tells the other', async () => {
    const taskId = await aWaitingOrder(service)
    const [one, other] = await Promise.all([atTheDocument(), atTheDocument()])
    await Promise.all([fill(one), fill(other)])
    await other.field('TextArea').locator('textarea').fill('Something else than in the first window.')
    await Promise.all([one.ready(), other.ready()])
    // The one that is late may be told before it can press the button.
    await Promise.any([one, other].map((inbox) => inbox.sign()))
    const told = [one, other].map(({ page }) =>
      page
        .getByText(GONE)
        .waitFor()
        .then(() => page),
    )
    const late = await Promise.any(told)
    const first = late === one.page ? other : one
    await first.said('Signed:')
    await service.reaches(taskId, 'Completed')
    await Promise.all([one.close(), other.close()])
    await Promise.allSettled(told)
  })

  it('keeps what is filled in while the service is away, and signs when it is back', async () => {
    const taskId = await aWaitingOrder(service)
    const inbox = await openInbox(browser, service)
    await inbox.page.clock.install()
    await inbox.signInAs('Ruth Calder')
    await inbox.open('Alma Whitfield')
    await fill(inbox)
    await inbox.ready()
    await inbox.page.route('**/api/**', (route) => route.abort())
    await inbox.sign()
    await inbox.page.getByText(AWAY).waitFor()
    expect(await inbox.page.locator('.announcement').count(), 'said once').to.equal(0)
    await inbox.page.unroute('**/api/**')
    await inbox.page.clock.fastForward(ASK_AGAIN_MS)
    await inbox.page.getByText('The service answers again.').waitFor()
    await inbox.sign()
    await inbox.said('Signed:')
    await service.reaches(taskId, 'Completed')
    await inbox.close()
  })

  it('says once that there is no connection, offers nothing that needs one, and continues by itself when it is back', async () => {
    const [taskId, other] = [await aWaitingOrder(service), await aWaitingOrder(service)]
    const inbox = await openInbox(browser, service)
    const { page, button } = inbox
    await inbox.signInAs('Ruth Calder')
    await page.goto(`${service.service.inboxUrl}#/documents/${taskId}`)
    await page.locator('.sheet[data-drawn]').first().waitFor()
    await fill(inbox)
    await inbox.ready()
    await page.context().setOffline(true)
    await page.getByText(AWAY).waitFor()
    await page.getByText('No connection').waitFor()
    for (const name of ['Sign document', 'Reject']) expect(await button(name).isDisabled(), name).to.equal(true)
    expect(await page.getByText('Ready to sign').count(), 'ready').to.equal(0)
    expect(await page.locator('.announcement').count(), 'said once').to.equal(0)
    await goodLook(inbox, 'no-connection')
    await page.goto(`${service.service.inboxUrl}#/documents/${other}`)
    await page.getByText('Opening the document…').waitFor()
    await page.context().setOffline(false)
    await page.locator('.sheet[data-drawn]').first().waitFor()
    expect(await page.getByText(AWAY).count()).to.equal(0)
    await page.goBack()
    await inbox.sign()
    await inbox.said('Signed:')
    await service.reaches(taskId, 'Completed')
    await service.client.retractTask({ params: { id: other }, query: { reason: 'Not needed' } })
    await inbox.close()
  })

  it('says that the signer signed it when the answer was lost, and signs nothing twice', async () => {
    const taskId = await aWaitingOrder(service)
    const inbox = await atTheDocument()
    await fill(inbox)
    let lost = 0
    await inbox.page.route('**/sign', async (route) => {
      const answer = await route.fetch()
      if (lost++ === 0) await route.abort()
      else await route.fulfill({ response: answer })
    })
    await inbox.sign()
    await inbox.said('Signed:')
    await service.reaches(taskId, 'Completed')
    await inbox.close()
  })

  it('says after a reload, too, who signed a document whose answer was lost, and when', async () => {
    const taskId = await aWaitingOrder(service)
    const inbox = await atTheDocument()
    await fill(inbox)
    await inbox.ready()
    await inbox.page.route('**/api/**', async (route) => {
      if (route.request().url().endsWith('/sign')) await route.fetch()
      await route.abort()
    })
    await inbox.sign()
    await inbox.page.getByText(AWAY).waitFor()
    await service.reaches(taskId, 'Completed')
    await inbox.page.unroute('**/api/**')
    await inbox.page.reload()
    await inbox.page.getByText(/no longer waiting for you\. You signed it on .*\d/).waitFor()
    await inbox.shoot('signed-after-lost-answer')
    await inbox.close()
  })

  it('connects again, in the console, when something other than the service answered meanwhile', async () => {
    const opened = await visitor(browser)
    const { page } = opened
    let asked = 0
    await page.clock.install()
    await page.route('**/admin/v1/changes', (route) =>
      asked++ === 0 ? route.fulfill({ status: 502, body: 'no upstream' }) : route.continue(),
    )
    await page.goto(`${service.baseUrl}/console#/tasks`)
    await page.getByRole('button', { name: 'Service operator' }).click()
    await eventually(async () => {
      await page.clock.fastForward(RECONNECT_MS)
      expect(asked).to.equal(2)
    })
    const taskId = await service.create(aCreateBody())
    await page.getByRole('link', { name: String(taskId) }).waitFor()
    await opened.close()
  })

  it('shows nothing to somebody whose session has ended, and says so', async () => {
    await aWaitingOrder(service)
    const inbox = await atTheDocument()
    expect(await inbox.page.context().cookies()).to.have.length(1)
    await inbox.sessionEndsAt('**/reject')
    await inbox.button('Reject').click()
    await inbox.button('Not my patient').click()
    await inbox.button('Reject document').click()
    await inbox.page.getByText('Your session has ended. Sign in again.').waitFor()
    expect(await inbox.page.content()).not.to.include('Whitfield')
    expect(await inbox.page.locator('.announcement').count()).to.equal(0)
    await inbox.close()
  })

  it('hides a document once nobody has touched it for a while, though the page itself asked for news until then', async () => {
    const inbox = await openInbox(browser, service)
    await inbox.page.clock.install()
    await inbox.signInAs('Ruth Calder')
    await inbox.open('Alma Whitfield')
    const asked: Request[] = []
    const underWay = new Set<Request>()
    // What the page listens to ends with the session.
    const isCall = (url: string) => !url.endsWith('/inbox/api/changes')
    inbox.page.on('request', (request) => {
      if (!isCall(request.url())) return
      asked.push(request)
      underWay.add(request)
    })
    inbox.page.on('requestfinished', (request) => underWay.delete(request))
    /** Time passes for the page and for the service alike, and what the page asks for is answered at its time. */
    const pass = async (ms: number) => {
      clock.advance(ms)
      await inbox.page.clock.runFor(ms)
      await eventually(() => expect(underWay.size).to.equal(0))
    }
    const news = () => asked.filter((request) => request.url().endsWith('/inbox/api/documents')).length
    for (let passed = 0; passed < IDLE_MS + 10 * 60_000; passed += 60_000) {
      if (passed === IDLE_MS - 60_000) {
        await aWaitingOrder(service)
        await eventually(() => expect(news()).to.be.above(0))
      }
      await pass(60_000)
    }
    const said = inbox.page.getByText('You were signed out because you were inactive for a while.')
    // A page that is slow to ask learns of it when it asks the next time.
    for (let more = 0; more < 60 && !(await said.isVisible()); more++) await pass(60_000)
    await said.waitFor()
    expect(await inbox.page.content()).not.to.include('Whitfield')
    await inbox.close()
  })

  it('asks visitors who changed their own password to sign in with it', async () => {
    const { page, close, shoot } = await atTheConsole('Willow Creek administrator')
    await page.goto(`${service.baseUrl}/console#/accounts`)
    await page.getByRole('button', { name: 'New password for Willow Creek administrator' }).click()
    await page.getByText('You will be signed out everywhere, and must then sign in with the new password.').waitFor()
    await page.getByRole('dialog').getByLabel('New password').fill('another horse, another staple')
    await page.getByRole('button', { name: 'Set password' }).click()
    await page.getByText('Your password has been changed. Sign in with the new one.').waitFor()
    await shoot('own-password')
    await page.getByLabel('E-mail').fill('admin@willow-creek.example')
    await page.getByLabel('Password').fill('another horse, another staple')
    await page.getByRole('button', { name: 'Sign in' }).first().click()
    await page.getByRole('button', { name: 'Sign out' }).waitFor()
    await close()
  })

  it('draws a page although its picture did not come at first, and loads nothing that reads PDFs', async () => {
    await aWaitingOrder(service)
    const inbox = await openInbox(browser, service)
    const asked: string[] = []
    inbox.page.on('request', (request) => asked.push(request.url()))
    const picture = /\/preview\/pages\/1\?/
    const isPicture = (url: string) => picture.test(url)
    let isFirst = true
    await inbox.page.route(picture, (route) => {
      const answer = isFirst ? route.abort() : route.continue()
      isFirst = false
      return answer
    })
    await inbox.signInAs('Ruth Calder')
    await inbox.open('Alma Whitfield')
    await inbox.inked('DateSigned')
    expect(asked.filter(isPicture).length).to.be.greaterThan(1)
    expect(asked.filter((url) => /pdfjs|pdf[^/]*\.m?js|\/pdf$/.test(url))).to.deep.equal([])
    expect(inbox.errors.filter((error) => !error.includes('ERR_FAILED'))).to.deep.equal([])
    await inbox.close()
  })

  it('shows all pages of a document that was opened, also larger, while the service is away', async () => {
    const attachment = Buffer.from(
      await aPdf(...[1, 2, 3, 4].map((page) => ({ content: `BT /F1 18 Tf 72 700 Td (Page ${page}) Tj ET` }))),
    ).toString('base64')
    const taskId = await service.create(aCreateBody({ document: { attachment, annotations: ON_FIRST_PAGE } }))
    await service.reaches(taskId, 'Pending')
    const inbox = await openInbox(browser, service)
    await inbox.signInAs('Ruth Calder')
    const last = inbox.page.waitForResponse((answer) => /\/pages\/4\?/.test(answer.url()) && answer.ok())
    await inbox.page.goto(`${service.service.inboxUrl}#/documents/${taskId}`)
    await (await last).finished()
    await inbox.page.route('**/inbox/api/**', (route) => route.abort())
    const sheet = inbox.page.locator('.sheet[data-page="4"]')
    await sheet.scrollIntoViewIfNeeded()
    await inbox.page.locator('.sheet[data-page="4"][data-drawn]').waitFor()
    await inbox.button('Larger').click()
    expect(await sheet.locator('canvas').evaluate((canvas: { width: number }) => canvas.width)).to.be.greaterThan(300)
    expect(await inbox.page.getByText('This page cannot be shown').count()).to.equal(0)
    await inbox.close()
  })

  it('says at its start that the service does not answer, and tries again', async () => {
    const opened = await visitor(browser)
    const { page } = opened
    await page.route('**/account/api/session', (route) => route.abort())
    await page.goto(service.service.inboxUrl)
    await page.getByText('The service does not answer. Check your connection, then try again.').waitFor()
    await page.unroute('**/account/api/session')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('button', { name: 'Ruth Calder' }).waitFor()
    await opened.close()
  })

  it('hears of changes again, in the console, after the service was restarted', async () => {
    const { page, close } = await atTheConsole()
    const { port } = new URL(service.baseUrl)
    const { key } = service
    await service.stop()
    await serve(Number(port))
    const { taskId } = await service.clientOf(key).createTask({ body: aCreateBody() })
    await page.getByRole('link', { name: String(taskId) }).waitFor()
    await close()
  })
})
