/** The way to every page and back, and two people who are open in one browser at once. */
import { expect } from 'chai'
import type { Browser } from 'playwright-core'
import { accessibilityFaults } from '../support/browser/axe.ts'
import { type Opened, openBrowser, visitor } from '../support/browser/browser.ts'
import { eventually } from '../support/eventually.ts'
import { runningClock } from '../support/fake-clock.ts'
import { aCreateBody, SIGNER } from '../support/service/a-create-body.ts'
import { aService, type TestService } from '../support/service/a-service.ts'

/** More than fit on a screen. */
const TASKS = 40

describe('the pages of the service', function () {
  this.timeout(45_000)
  const clock = runningClock()
  let browser: Browser
  let service: TestService
  let open: Opened
  before(async () => {
    ;[browser, service] = await Promise.all([openBrowser(), aService({ clock })])
    const performer = { signer: { userNPI: SIGNER.unknown } }
    const body = aCreateBody({ performer })
    let last = 0
    for (let n = 0; n < TASKS; n++) last = await service.create(body)
    await service.reaches(last, 'Failed')
    await service.reaches(await service.create(aCreateBody()), 'Pending')
  })
  after(async () => {
    await browser?.close()
    await service?.stop()
  })
  beforeEach(async () => {
    open = await visitor(browser)
  })
  afterEach(async () => {
    const { errors } = open
    await open.close()
    expect(errors).to.deep.equal([])
  })
  const goto = (path: string) => open.page.goto(`${service.baseUrl}${path}`)
  const heading = (name: string) => open.page.getByRole('heading', { level: 1, name }).waitFor()
  const signInAs = (name: string) => open.page.getByRole('button', { name }).click()

  it('has a page for people at its root, whose every link leads somewhere; a program reads what it read before', async () => {
    await goto('/')
    await heading('Signing clinical documents')
    await open.page.getByRole('main').getByRole('link', { name: 'Control room' }).waitFor()
    const links = await open.page.getByRole('main').getByRole('link').all()
    const paths = await Promise.all(links.map((link) => link.getAttribute('href')))
    expect(paths).to.deep.equal(['/inbox', '/console', '/verify', '/sandbox', '/docs', '/ready'])
    for (const path of [...paths, '/favicon.ico'])
      expect((await fetch(`${service.baseUrl}${path}`)).status, path!).to.equal(200)
    expect(await accessibilityFaults(open.page)).to.deep.equal([])
    for (const accept of ['*/*', 'application/json']) {
      const answer = await fetch(service.baseUrl, { headers: { accept } })
      expect([answer.status, answer.headers.get('vary')]).to.deep.equal([404, 'Accept'])
      expect(answer.headers.get('content-type')).to.include('application/json')
    }
    await open.page.getByRole('link', { name: 'Console' }).click()
    await heading('Sign in to the console')
    await open.page.getByRole('link', { name: 'Open the inbox' }).click()
    await heading('Sign in to your inbox')
    await open.page.getByRole('link', { name: 'All pages' }).click()
    await heading('Signing clinical documents')
  })

  it('lets a signer and an operator be open in one browser, each signed in and out alone', async () => {
    await goto('/console#/tasks')
    await signInAs('Service operator')
    await heading('Tasks')
    const other = await open.page.context().newPage()
    await other.goto(`${service.baseUrl}/inbox`)
    await other.getByRole('button', { name: 'Ruth Calder DO' }).click()
    await other.getByRole('navigation', { name: 'Inbox' }).waitFor()
    await open.page.getByRole('link', { name: 'Receivers' }).click()
    await heading('Receivers')
    await open.page.reload()
    await heading('Receivers')
    await open.page.getByText('Service operator').waitFor()
    await other.reload()
    await other.getByText('Ruth Calder DO').first().waitFor()
    await other.getByRole('button', { name: 'Sign out' }).click()
    await other.getByRole('heading', { level: 1, name: 'Sign in to your inbox' }).waitFor()
    expect(await other.getByRole('button', { name: /Ruth Calder/ }).count()).to.equal(1)
    await open.page.reload()
    await heading('Receivers')
    await other.close()
  })

  it('shows another person at once who signed in elsewhere in this browser, and never their data under the old name', async () => {
    await goto('/console#/tasks')
    await signInAs('Service operator')
    await heading('Tasks')
    const other = await open.page.context().newPage()
    await other.goto(`${service.baseUrl}/console#/tasks`)
    await other.getByRole('button', { name: 'Sign out' }).click()
    await other.getByRole('button', { name: 'Willow Creek administrator' }).click()
    await other
      .getByRole('heading', { level: 1 })
      .filter({ hasText: /Home|Tasks/ })
      .waitFor()
    await open.page.getByRole('link', { name: 'Settings' }).click()
    await open.page.getByRole('link', { name: 'Instances' }).click()
    // The operator's list is forbidden to the administrator, who is then named.
    await open.page.getByText('Willow Creek administrator').waitFor()
    await heading('No such page')
    await other.close()
    open.errors.splice(0)
  })

  it('says that there is no such page, and what is not for an administrator, with a way back', async () => {
    await goto('/console')
    await signInAs('Willow Creek administrator')
    for (const route of ['anything', 'providers', 'instances', 'tasks/x']) {
      await goto(`/console#/${route}`)
      await heading('No such page')
      expect(await open.page.getByRole('textbox').count(), route).to.equal(0)
    }
    await open.page.getByRole('main').getByRole('link', { name: 'Home' }).click()
    await heading('Home')
  })

  it('keeps filter and place of a list in its address: Back leads to the same line', async () => {
    await goto('/console#/tasks')
    await signInAs('Service operator')
    await heading('Tasks')
    await open.page.getByLabel('Status').selectOption('Failed')
    await open.page.waitForURL(/#\/tasks\?status=Failed$/)
    const rows = open.page.getByRole('row')
    await rows.nth(TASKS).waitFor()
    const task = rows.last().getByRole('link')
    await task.scrollIntoViewIfNeeded()
    const keptScroll = () => open.page.evaluate<number>('history.state?.scroll ?? 0')
    await eventually(async () => expect(await keptScroll()).to.be.greaterThan(0))
    const before = await keptScroll()
    await task.click()
    await open.page.getByRole('heading', { level: 1, name: /^Task \d+$/ }).waitFor()
    await open.page.goBack()
    await heading('Tasks')
    expect(await open.page.getByLabel('Status').inputValue()).to.equal('Failed')
    await eventually(async () => expect(await open.page.evaluate<number>('scrollY')).to.equal(before))
    await open.page.reload()
    await rows.nth(TASKS).waitFor()
    await goto('/console#/deliveries?state=failed&subscription=3')
    await heading('Deliveries')
    expect(await open.page.getByRole('combobox', { name: 'State' }).inputValue()).to.equal('failed')
    expect(await open.page.getByLabel('Subscription').inputValue()).to.equal('3')
  })

  it('says on each page of a sandbox that it is one, and by how much its clock is ahead', async () => {
    clock.advance(2 * 86_400_000 + 4 * 3_600_000)
    for (const [path, name] of [
      ['/console', 'Service operator'],
      ['/inbox', 'Ruth Calder DO'],
    ] as const) {
      await goto(path)
      await signInAs(name)
      await open.page.getByRole('complementary', { name: 'Sandbox' }).getByText('2 d 4 h ahead').waitFor()
    }
  })
})
