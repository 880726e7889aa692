/** From a document that is sent to a signed PDF, signed by hand in the inbox of a started service, within a minute. */
import { expect } from 'chai'
import type { Browser } from 'playwright-core'
import { createClient } from '../../lib/client/client.ts'
import { annotations, demoOrder } from '../../scripts/demo-order.ts'
import { verifySealed } from '../../server/pdf/verify.ts'
import { aTask, daysFromToday, SIGNER } from '../support/a-task.ts'
import { openBrowser } from '../support/browser.ts'
import { openInbox } from '../support/inbox-page.ts'
import { type Served, serve } from '../support/served.ts'

const LIMIT_MS = 60_000

describe('a document on its way to a signature by hand', function () {
  this.timeout(LIMIT_MS + 30_000)
  let browser: Browser
  let served: Served
  before(async () => {
    ;[browser, served] = await Promise.all([
      openBrowser(),
      serve(['--sandbox', '--seed', 'demo', '--data', ':memory:']),
    ])
  })
  after(async () => {
    await browser?.close()
    await served?.stop()
  })

  it('is Completed in less than a minute', async function () {
    const { baseUrl, apiKeys } = served
    const client = createClient({ baseUrl, apiKey: apiKeys[0]!.key, proxy: false })
    const began = performance.now()
    const attachment = Buffer.from(await demoOrder(daysFromToday(0))).toString('base64')
    const performer = { signer: { userNPI: SIGNER.calder } }
    const { taskId } = await client.createTask({ body: aTask({ performer, document: { attachment, annotations } }) })

    const inbox = await openInbox(browser, { service: { inboxUrl: `${baseUrl}/inbox` } })
    await inbox.signInAs('Ruth Calder')
    await inbox.open('Alma Whitfield')
    await inbox.button('Start').click()
    await inbox.page.keyboard.press('Space')
    await inbox.button('Next field').click()
    await inbox.page.keyboard.press('Enter')
    await inbox.draw()
    await inbox.button('Use this signature').click()
    await inbox.button('Sign document').click()
    await inbox.said('Signed:')
    const task = await client.readTask({ params: { id: taskId }, query: { includeOutputAttachment: true } })
    const tookMs = performance.now() - began
    expect(task.status).to.equal('Completed')
    expect(verifySealed(Buffer.from(task.output!.attachment!, 'base64')).valid).to.equal(true)
    expect(tookMs).to.be.below(LIMIT_MS)
    this.test!.title += `: ${(tookMs / 1_000).toFixed(1)} s`
    expect(inbox.errors).to.deep.equal([])
    await inbox.close()
  })
})
