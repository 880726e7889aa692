/** What a signer has filled in outlives the page and the session, for that signer alone, and ends with the document. */
import { expect } from 'chai'
import type { Browser, Page } from 'playwright-core'
import { openBrowser } from '../../support/browser/browser.ts'
import { goodLook } from '../../support/browser/good-look.ts'
import { type InboxPage, openInbox } from '../../support/browser/inbox-page.ts'
import { keptDrafts } from '../../support/browser/kept-drafts.ts'
import { eventually } from '../../support/eventually.ts'
import { installed } from '../../support/seen/external-checks.ts'
import { aService, type TestService } from '../../support/service/a-service.ts'
import { aWaitingOrder } from '../../support/service/a-waiting-order.ts'
import { aTimestampAuthority, type TimestampAuthority } from '../../support/timestamps/a-timestamp-authority.ts'

const TEXT = 'Zyx wound check on Mondays.'
const DAY_MS = 24 * 60 * 60 * 1000

describe('a draft', function () {
  // A browser is slow at times, when other work runs beside it.
  this.timeout(60_000)
  let browser: Browser
  let authority: TimestampAuthority | undefined
  let service: TestService
  let inbox: InboxPage
  let taskId: number
  before(async () => {
    if (installed.openssl) authority = await aTimestampAuthority()
    const timestamps = authority && { timestampUrl: authority.url, timestampCa: authority.ca }
    ;[browser, service] = await Promise.all([openBrowser(), aService(timestamps)])
  })
  after(async () => {
    await browser?.close()
    await service?.stop()
    await authority?.stop()
  })
  beforeEach(async () => {
    taskId = await aWaitingOrder(service)
    inbox = await openInbox(browser, service)
    await inbox.signInAs('Ruth Calder')
    await inbox.open('Alma Whitfield')
  })
  afterEach(async () => {
    await inbox.close()
    const { status } = await service.client.readTask({ params: { id: taskId } })
    if (status === 'Pending') await service.rejects(taskId)
  })

  const text = () => inbox.field('TextArea').locator('textarea')
  const kept = () => inbox.page.getByText('Draft kept in this browser').waitFor()
  const isEmpty = (page: Page) => eventually(async () => expect(await keptDrafts(page)).to.deep.equal([]))
  const write = async () => {
    await text().fill(TEXT)
    await kept()
  }
  const fill = async () => {
    await inbox.page.getByRole('checkbox', { name: /^Checkbox/ }).check()
    await inbox.field('VisibleSignature').locator('button').click()
    await inbox.draw()
    await inbox.page.getByLabel('Save for next time').uncheck()
    await inbox.button('Use this signature').click()
    await write()
  }
  const isBack = async () => {
    await inbox.page.locator('.sheet[data-drawn]').first().waitFor()
    expect(await text().inputValue()).to.equal(TEXT)
    expect(await inbox.page.getByRole('checkbox', { name: /^Checkbox/ }).isChecked()).to.equal(true)
    // The signer has to see what is sealed.
    for (const type of ['TextArea', 'CheckBox', 'VisibleSignature']) {
      await inbox.field(type).scrollIntoViewIfNeeded()
      await inbox.inked(type)
    }
    await inbox.ready()
  }

  it('is there again after a reload, and after the session ended in the middle of signing; then it is gone', async () => {
    await fill()
    expect((await keptDrafts(inbox.page)).map((draft) => draft.taskId)).to.deep.equal([taskId])
    await inbox.page.reload()
    await isBack()
    expect(inbox.errors).to.deep.equal([])
    await inbox.sessionEndsAt('**/sign')
    await inbox.sign()
    await inbox.page.getByText('Your session has ended. Sign in again.').waitFor()
    expect(await inbox.page.content()).not.to.include('Zyx')
    await inbox.signInAs('Ruth Calder')
    await isBack()
    await inbox.sign()
    await inbox.said('Signed:')
    await isEmpty(inbox.page)
  })

  if (!installed.openssl) it('needs openssl for a timestamp authority that is away')
  else
    it('stays when the timestamp authority is away, also after a reload, and is signed when it is back', async () => {
      await fill()
      await authority!.stop()
      await inbox.sign()
      await inbox.said('The document was not signed: it needs a timestamp')
      expect((await keptDrafts(inbox.page)).map((draft) => draft.taskId)).to.deep.equal([taskId])
      await inbox.page.reload()
      await isBack()
      await authority!.start()
      await inbox.sign()
      await inbox.said('Signed:')
      await isEmpty(inbox.page)
    })

  it('can neither be seen nor read by another person in the same browser', async () => {
    await write()
    const opens = await opener(inbox.page, taskId)
    await inbox.button('Sign out').click()
    await inbox.page.getByRole('dialog', { name: 'Keep your drafts?' }).waitFor()
    await goodLook(inbox, 'sign-out-with-drafts')
    await inbox.button('Keep drafts and sign out').click()
    await inbox.page.getByText('You are signed out.').waitFor()
    const [draft, ...more] = await keptDrafts(inbox.page)
    expect(more).to.deep.equal([])
    for (const word of [TEXT, 'Zyx', 'Whitfield', 'values']) expect(draft!.text).not.to.include(word)

    await inbox.signInAs('Ian Voss')
    expect(await opens()).to.equal(false)
    await inbox.button('Sign out').click()
    // Nothing of theirs is there, so nobody asks.
    await inbox.page.getByText('You are signed out.').waitFor()

    await inbox.signInAs('Ruth Calder')
    expect(await opens(), 'the check itself').to.equal(true)
    await inbox.open('Alma Whitfield')
    expect(await text().inputValue()).to.equal(TEXT)
  })

  it('is gone when its signer says so at signing out', async () => {
    await write()
    await inbox.button('Sign out').click()
    await inbox.button('Remove drafts and sign out').click()
    await inbox.page.getByText('You are signed out.').waitFor()
    await isEmpty(inbox.page)
  })

  it('is gone when its document was withdrawn', async () => {
    await write()
    await service.client.retractTask({ params: { id: taskId }, query: { reason: 'Sent twice' } })
    await inbox.page.getByRole('link', { name: 'Inbox', exact: false }).first().click()
    await isEmpty(inbox.page)
    await inbox.page.goto(`${service.service.inboxUrl}#/documents/${taskId}`)
    await inbox.page.getByText(/Withdrawn by the sender on .*: Sent twice/).waitFor()
  })

  it('is given up after a week, also when nobody signs in', async () => {
    await write()
    const later = await inbox.page.context().newPage()
    await later.clock.setFixedTime(Date.now() + 8 * DAY_MS)
    await later.goto(service.service.inboxUrl)
    await isEmpty(later)
  })

  it('that cannot be kept says so, and leaving the page asks', async () => {
    await inbox.page.evaluate(
      `IDBObjectStore.prototype.put = () => { throw new DOMException('full', 'QuotaExceededError') }`,
    )
    await text().fill(TEXT)
    await inbox.page.getByText('This draft cannot be kept in this browser').waitFor()
    const asked = inbox.page.waitForEvent('dialog')
    const closing = inbox.page.close({ runBeforeUnload: true })
    const dialog = await asked
    expect(dialog.type()).to.equal('beforeunload')
    await dialog.accept()
    await closing
  })

  it('does not hold what is in an open dialog, so leaving that asks', async () => {
    await inbox.button('Reject').click()
    await inbox.page.getByLabel('Reason', { exact: true }).fill('Half a reason')
    await inbox.page.goBack()
    await inbox.page.getByRole('dialog', { name: 'Leave this document?' }).waitFor()
    await goodLook(inbox, 'leave-document')
    await inbox.page.getByRole('dialog', { name: 'Leave' }).getByRole('button', { name: 'Back' }).click()
    expect(await inbox.page.getByLabel('Reason', { exact: true }).inputValue()).to.equal('Half a reason')
    await inbox.page.goBack()
    await inbox.button('Leave').click()
    await inbox.page.getByRole('heading', { name: '1 document to sign' }).waitFor()
  })
})

/** Returns what tells whether the secret of the person who is signed in then opens the draft, tried as the page does it. */
async function opener(page: Page, taskId: number): Promise<() => Promise<boolean>> {
  const digest = `fetch('/inbox/api/documents/${taskId}').then((answer) => answer.json()).then(({ sha256 }) => sha256)`
  const binding = `draft/${taskId}/${await page.evaluate<string>(digest)}`
  return () =>
    page.evaluate<boolean>(`(async () => {
      const { secret } = await (await fetch('/inbox/api/draft-secret')).json()
      const bytes = Uint8Array.from(atob(secret), (char) => char.charCodeAt(0))
      const utf8 = (text) => new TextEncoder().encode(text)
      const root = await crypto.subtle.importKey('raw', bytes, 'HKDF', false, ['deriveKey'])
      const how = { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info: utf8('key') }
      const key = await crypto.subtle.deriveKey(how, root, { name: 'AES-GCM', length: 256 }, false, ['decrypt'])
      const done = (request) => new Promise((resolve) => { request.onsuccess = () => resolve(request.result) })
      const database = await done(indexedDB.open('countersign', 1))
      const [draft] = await done(database.transaction('drafts').objectStore('drafts').getAll())
      database.close()
      const sealed = { name: 'AES-GCM', iv: draft.nonce, additionalData: utf8(${JSON.stringify(binding)}) }
      return crypto.subtle.decrypt(sealed, key, draft.bytes).then(() => true, () => false)
    })()`)
}
