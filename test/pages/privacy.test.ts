/** Two signers at the same service: neither sees the other's documents, and no address of a page names a patient. */
import { expect } from 'chai'
import type { Browser } from 'playwright-core'
import { openBrowser, visitor } from '../support/browser/browser.ts'
import { type InboxPage, openInbox } from '../support/browser/inbox-page.ts'
import { keptDrafts } from '../support/browser/kept-drafts.ts'
import { eventually } from '../support/eventually.ts'
import { aService, type TestService } from '../support/service/a-service.ts'
import { aWaitingOrder } from '../support/service/a-waiting-order.ts'

describe('two signers', function () {
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

  it('see only their own documents, even at the address of one of the other', async () => {
    const ofCalder = await aWaitingOrder(service)
    const [calder, voss] = await Promise.all([openInbox(browser, service), openInbox(browser, service)])
    await calder.signInAs('Ruth Calder')
    await voss.signInAs('Ian Voss')
    await calder.open('Alma Whitfield')
    await voss.page.getByRole('heading', { name: 'No documents to sign' }).waitFor()
    await voss.page.goto(`${service.service.inboxUrl}#/documents/${ofCalder}`)
    await voss.page.getByText(`Document ${ofCalder} does not wait for you`).waitFor()
    expect(await voss.page.content()).not.to.include('Whitfield')
    await Promise.all([calder.close(), voss.close()])
  })

  it('leave nothing behind when they sign out', async () => {
    await aWaitingOrder(service)
    const inbox = await openInbox(browser, service)
    await inbox.signInAs('Ruth Calder')
    await inbox.open('Alma Whitfield')
    await inbox.button('Reject').click()
    await inbox.button('Not my patient').click()
    await inbox.button('Reject document').click()
    await inbox.said('Rejected: Physician Order (verbal) of Alma Whitfield.')
    await inbox.button('Sign out').click()
    await inbox.button('Ruth Calder').waitFor()
    expect(await inbox.page.content()).not.to.include('Whitfield')
    await inbox.page.goBack()
    await inbox.button('Ruth Calder').waitFor()
    expect(await inbox.page.content()).not.to.include('Whitfield')
    await inbox.close()
  })

  it('load addresses that hold ids and nothing else', async () => {
    const inbox = await openInbox(browser, service)
    const urls: string[] = []
    inbox.page.on('request', (request) => urls.push(request.url()))
    await inbox.signInAs('Ruth Calder')
    await inbox.page.getByRole('searchbox').fill('Whitfield')
    await inbox.open('Alma Whitfield')
    urls.push(inbox.page.url())
    expect(urls.filter((url) => !url.startsWith('data:'))).to.satisfy((all: string[]) =>
      all.every((url) => url.startsWith(service.baseUrl) && !/whitfield|alma|1948|WC1/i.test(url)),
    )
    await inbox.close()
  })

  it('keep nothing readable of a patient in titles, in the history or in any store of the browser', async () => {
    const titles = new Set<string>()
    const look = async ({ page }: Pick<InboxPage, 'page'>) => titles.add(await page.title())
    const kept = ({ page }: Pick<InboxPage, 'page'>) =>
      page.evaluate<unknown>(`(async () => ({
        stores: [localStorage.length, sessionStorage.length, (await caches.keys()).length],
        databases: (await indexedDB.databases()).map(({ name }) => name),
        state: history.state, cookie: document.cookie, name: window.name }))()`)
    const nothing = { stores: [0, 0, 0], databases: [] as string[], state: null, cookie: '', name: '' }
    const inbox = await openInbox(browser, service)
    await inbox.page.getByRole('button', { name: 'Ruth Calder' }).waitFor()
    await look(inbox)
    await inbox.signInAs('Ruth Calder')
    await eventually(async () => expect(await look(inbox)).to.include('Inbox · Countersign'))
    const taskId = await aWaitingOrder(service)
    await inbox.page.reload()
    await inbox.open('Alma Whitfield')
    await inbox.field('TextArea').locator('textarea').fill('Call me about Alma Whitfield.')
    await inbox.field('VisibleSignature').locator('button').click()
    await inbox.draw()
    await inbox.button('Use this signature').click()
    await look(inbox)
    // The draft, which only its signer can open; `drafts.test.ts` shows that nobody else can.
    await inbox.page.getByText('Draft kept in this browser').waitFor()
    expect(await kept(inbox)).to.deep.equal({ ...nothing, databases: ['countersign'] })
    const drafts = await keptDrafts(inbox.page)
    expect(drafts).to.have.length(1)
    expect(JSON.stringify(drafts)).not.to.match(/whitfield|call me|1948|WC1|physician/i)
    await inbox.page.getByRole('link', { name: 'Signed' }).click()
    await inbox.page.getByText('Rejected', { exact: true }).first().waitFor()
    await look(inbox)
    await inbox.close()

    const staff = await visitor(browser)
    await staff.page.goto(`${service.baseUrl}/console#/tasks`)
    await staff.page.getByRole('button', { name: 'Service operator' }).click()
    await staff.page.getByRole('link', { name: String(taskId) }).click()
    await staff.page.getByText('Alma Whitfield', { exact: true }).waitFor()
    await look(staff)
    expect(await kept(staff)).to.deep.equal(nothing)
    await staff.close()
    expect([...titles].sort()).to.deep.equal([
      'Inbox · Countersign',
      'Physician Order (verbal) · Countersign',
      'Sign in · Countersign',
      'Signed · Countersign',
      `Task ${taskId} · Countersign`,
    ])
  })
})
