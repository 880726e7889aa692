/** The first page of the console: what needs an operator, in sentences that lead there, and nothing where nothing does. */
import { expect } from 'chai'
import type { Browser } from 'playwright-core'
import { aVisit } from '../support/browser/a-visit.ts'
import { type Opened, openBrowser, visitor } from '../support/browser/browser.ts'
import { goodLook, looks } from '../support/browser/good-look.ts'
import { runningClock } from '../support/fake-clock.ts'
import { aMailServer, type MailServer, PASSWORD } from '../support/network/mail-server.ts'
import { aCreateBody, SIGNER } from '../support/service/a-create-body.ts'
import { aService, type TestService } from '../support/service/a-service.ts'

const ADDRESS = 'ruth@practice.example'
const DAY_MS = 24 * 60 * 60 * 1000

describe('the first page of the console', function () {
  this.timeout(90_000)
  const clock = runningClock()
  let browser: Browser
  let mail: MailServer
  let service: TestService
  let open: Opened
  before(async () => {
    ;[browser, mail] = await Promise.all([openBrowser(), aMailServer()])
    service = await aService({
      clock,
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
  afterEach(async () => {
    const { errors } = open
    await open.close()
    expect(errors).to.deep.equal([])
  })

  const visit = async (who = 'Service operator', look = {}) => {
    open = await visitor(browser, look)
    await open.page.goto(`${service.baseUrl}/console`)
    await open.page.getByRole('button', { name: who }).click()
    await open.page.getByRole('heading', { level: 1, name: 'Home' }).waitFor()
    return open.page
  }
  const needs = () => open.page.getByRole('region', { name: 'Needs you' })

  it('says that nothing needs the operator, and shows what does as soon as it comes', async () => {
    const page = await visit()
    await needs().getByText('Nothing needs you.').waitFor()
    await goodLook(open, 'home-empty')
    const failed = await service.create(aCreateBody({ performer: { signer: { userNPI: SIGNER.unknown } } }))
    await service.reaches(failed, 'Failed')
    await needs().getByRole('link', { name: '1 order failed in the last 24 hours: unknown signer 1.' }).click()
    await page.getByRole('heading', { level: 1, name: 'Tasks' }).waitFor()
    expect(await page.getByLabel('Status').inputValue()).to.equal('Failed')
    await page.getByRole('link', { name: String(failed) }).waitFor()
  })

  it('has a reminder sent to a signer who lets orders wait', async () => {
    await service.reaches(await service.create(aCreateBody()), 'Pending')
    const operator = aVisit(service.baseUrl)
    await operator.signInAs('Service operator')
    const notices = { mode: 'soon', hour: 6, timeZone: 'UTC', address: ADDRESS }
    const path = `/admin/v1/providers/${SIGNER.calder}`
    expect((await operator.ask('POST', `${path}/remind`)).status).to.equal(409)
    expect((await operator.ask('POST', `${path}/notices`, notices)).status).to.equal(204)
    clock.advance(4 * DAY_MS)
    // What is owed already goes out by itself.
    await mail.took(1)
    const page = await visit()
    await needs()
      .getByRole('link', { name: /^Ruth Calder DO has 1 order older than three days, the oldest for 4 days/ })
      .waitFor()
    await needs().getByRole('button', { name: 'Send a reminder' }).click()
    await page.getByText('The reminder is on its way to the mail server.').waitFor()
    await mail.took(2)
    const twin = { externalId: 'WILLOW|TWIN', identifiers: null, telecoms: null }
    await service.create(aCreateBody({ patient: twin }))
    await needs()
      .getByRole('link', { name: /^1 order waits for a review/ })
      .click()
    await page.getByRole('heading', { level: 1, name: 'Manual review' }).waitFor()
  })

  it('shows an administrator what concerns their organization, without a reminder', async () => {
    await visit('Willow Creek administrator')
    await needs()
      .getByRole('link', { name: /^Ruth Calder DO has/ })
      .waitFor()
    expect(await needs().getByRole('button').count()).to.equal(0)
  })

  for (const look of looks)
    it(`is without fault at ${look.width} pixels`, async () => {
      await visit('Service operator', look)
      await needs().getByRole('link').first().waitFor()
      await goodLook(open, 'home')
    })
})
