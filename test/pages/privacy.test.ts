/** Two signers at the same service: neither sees the other's documents, and no address of a page tells of a patient. */
import { expect } from 'chai'
import type { Browser } from 'playwright-core'
import { aService, type TestService } from '../support/a-service.ts'
import { aWaitingOrder } from '../support/a-waiting-order.ts'
import { openBrowser } from '../support/browser.ts'
import { openInbox } from '../support/inbox-page.ts'

describe('two signers', function () {
  // A browser beside other work is slow now and then.
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

  it('see their own documents only, even by the address of the other', async () => {
    const ofCalder = await aWaitingOrder(service)
    const [calder, voss] = await Promise.all([openInbox(browser, service), openInbox(browser, service)])
    await calder.signInAs('Ruth Calder')
    await voss.signInAs('Ian Voss')
    await calder.open('Alma Whitfield')
    await voss.page.getByRole('heading', { name: 'Nothing waits for you' }).waitFor()
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
})
