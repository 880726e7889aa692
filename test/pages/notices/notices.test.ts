/** What a signer is told, in the open inbox and by e-mail, in the browser. */
import { expect } from 'chai'
import type { Browser } from 'playwright-core'
import { openBrowser, visitor } from '../../support/browser/browser.ts'
import { goodLook, looks } from '../../support/browser/good-look.ts'
import { openInbox } from '../../support/browser/inbox-page.ts'
import { aMailServer, type MailServer, PASSWORD } from '../../support/network/mail-server.ts'
import { aCreateBody } from '../../support/service/a-create-body.ts'
import { aService, type TestService } from '../../support/service/a-service.ts'

const ADDRESS = 'ruth@practice.example'

describe('what a signer is told', function () {
  // A browser is slow at times, when other work runs beside it.
  this.timeout(60_000)
  let browser: Browser
  let mail: MailServer
  let service: TestService
  before(async () => {
    ;[browser, mail] = await Promise.all([openBrowser(), aMailServer()])
    service = await aService({
      publicUrl: 'https://sign.example.org',
      smtpUrl: mail.url,
      smtpPassword: PASSWORD,
      smtpFrom: 'notices@sign.example.org',
      smtpCa: mail.authority,
    })
  })
  after(async () => {
    await browser?.close()
    await service?.stop()
    await mail?.stop()
  })

  const pass = (advanceSeconds: number) => service.ask('POST', '/sandbox/v1/clock', { body: { advanceSeconds } })

  it('shows a document as soon as it has come, and no longer once it was withdrawn, to somebody who touches nothing', async () => {
    const inbox = await openInbox(browser, service)
    await inbox.signInAs('Ruth Calder')
    await inbox.page.getByRole('heading', { name: 'No documents to sign' }).waitFor()
    const id = await service.create(aCreateBody())
    await inbox.page.getByRole('heading', { name: '1 document to sign' }).waitFor()
    await service.client.retractTask({ params: { id }, query: { reason: 'Sent twice' } })
    await inbox.page.getByRole('heading', { name: 'No documents to sign' }).waitFor()
    expect(inbox.errors).to.deep.equal([])
    await inbox.close()
  })

  for (const [n, look] of looks.entries())
    it(`lets a signer set an address and a time, ${look.width} wide`, async () => {
      const inbox = await openInbox(browser, service, look)
      await inbox.signInAs(n === 0 ? 'Ruth Calder' : 'Ian Voss')
      const { page } = inbox
      await page.getByRole('link', { name: 'E-mail' }).click()
      await page.getByText('There is no address yet.').waitFor()
      await page.getByLabel('Your e-mail address').fill(ADDRESS)
      await inbox.button('Send a code').click()
      await inbox.said('An e-mail with a code is on its way.')
      await pass(1)
      const { text } = await mail.took(n + 1)
      await goodLook(inbox, 'notices-code')
      await page.getByLabel(`Code that was sent to ${ADDRESS}`).fill(/: (\d{6})$/m.exec(text)![1]!)
      await inbox.button('Confirm').click()
      await inbox.said('Your address is confirmed.')
      await page.getByLabel('Once a day').check()
      await page.getByLabel('At, in the time zone America/Chicago').selectOption('06:00')
      await inbox.button('Save').click()
      await inbox.said('Saved.')
      await page.reload()
      await page.getByText(`E-mails go to ${ADDRESS}.`).waitFor()
      expect(await page.getByLabel('At, in the time zone').inputValue()).to.equal('6')
      await goodLook(inbox, 'notices')
      expect(inbox.errors).to.deep.equal([])
      await inbox.close()
    })

  it('ends with the link of an e-mail, for somebody who is not signed in', async () => {
    const taskId = await service.create(aCreateBody())
    await service.reaches(taskId, 'Pending')
    await pass(25 * 60 * 60)
    const { text } = await mail.took(looks.length + 1)
    const [, off = ''] = /No more e-mails: https:\/\/[^/]+(\S+)/.exec(text)!
    const opened = await visitor(browser, looks[1])
    await opened.page.goto(service.baseUrl + off)
    await goodLook(opened, 'no-more-notices')
    await opened.page.getByRole('button', { name: 'Send me no more e-mails' }).click()
    await opened.page.getByRole('heading', { name: 'No more e-mails', exact: true }).waitFor()
    expect(opened.errors).to.deep.equal([])
    await opened.close()
  })

  it('can be set by an operator, who also sees that the mail server is away', async () => {
    const opened = await visitor(browser, looks[0])
    const { page } = opened
    await page.goto(`${service.baseUrl}/console#/providers`)
    await page.getByRole('button', { name: 'Service operator' }).click()
    await page.getByRole('button', { name: 'E-mails to Ian Voss' }).click()
    await page.getByRole('dialog').getByLabel('E-mail address').fill('front-desk@practice.example')
    await page.getByRole('dialog').getByLabel('Soon after').check()
    expect(await page.getByText('This service sends no e-mails').count()).to.equal(0)
    await goodLook(opened, 'provider-notices')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('The e-mails to Ian Voss MD have been set.').waitFor()
    await mail.stop()
    const body = aCreateBody({ performer: { signer: { userNPI: '9999900018' } } })
    await service.reaches(await service.create(body), 'Pending')
    await pass(10 * 60)
    await page.goto(`${service.baseUrl}/console#/instances`)
    await page.getByText('The mail server does not answer.').first().waitFor()
    await goodLook(opened, 'mail-server-away')
    await mail.start()
    expect(opened.errors).to.deep.equal([])
    await opened.close()
  })

  it('can be set by an operator where no mail server is set, who is told so', async () => {
    const silent = await aService()
    const opened = await visitor(browser, looks[0])
    const { page } = opened
    await page.goto(`${silent.baseUrl}/console#/providers`)
    await page.getByRole('button', { name: 'Service operator' }).click()
    await page.getByRole('button', { name: 'E-mails to Ian Voss' }).click()
    await page.getByRole('dialog').getByText('This service sends no e-mails').waitFor()
    await goodLook(opened, 'provider-notices-without-mail')
    await opened.close()
    await silent.stop()
  })
})
