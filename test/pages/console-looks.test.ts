/** The console in both colour schemes, wide and narrow: pictures to look at, and no serious fault. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect } from 'chai'
import type { Browser } from 'playwright-core'
import { demoOrder } from '../../scripts/demo-order.ts'
import { type Look, type Opened, openBrowser, visitor } from '../support/browser/browser.ts'
import { goodLook, looks } from '../support/browser/good-look.ts'
import { eventually } from '../support/eventually.ts'
import { runningClock } from '../support/fake-clock.ts'
import { TestReceiver } from '../support/network/test-receiver.ts'
import { aCreateBody, daysFromToday, TEMPLATE } from '../support/service/a-create-body.ts'
import { aService, type TestService } from '../support/service/a-service.ts'

const TWIN = { externalId: 'WILLOW|TWIN', identifiers: null, telecoms: null }

/** Another instance that has fallen silent, and a subscription of each kind that is spared. */
function troubled(file: string, now: number): void {
  // Does not wait for a lock: its holder in this process would wait for it.
  using database = new DatabaseSync(file, { timeout: 0 })
  database.exec('BEGIN IMMEDIATE')
  const [since, seen] = [now - 86_400_000, now - 120_000].map((at) => new Date(at).toISOString())
  database
    .prepare('INSERT INTO instance (id, name, version, since, seen_at, workers) VALUES (?, ?, ?, ?, ?, ?)')
    .run('silent', 'node-2:8092', '0.1.0', since!, seen!, '[]')
  const { url } = database.prepare('SELECT sealed_url AS url FROM subscription WHERE id = 1').get() as {
    url: Uint8Array
  }
  const finding = { at: now, openings: 0, slots: 3, pausedFrom: now, pausedUntil: now + 300_000 }
  const kept = JSON.stringify({ ...finding, address: Buffer.from(url).toString('base64') })
  database.prepare('UPDATE subscription SET finding = ? WHERE id = 1').run(kept)
  database.exec('COMMIT')
}

describe('the look of the console', function () {
  // A browser is slow at times, when other work runs beside it.
  this.timeout(90_000)
  const folder = mkdtempSync(join(tmpdir(), 'countersign-console-'))
  const clock = runningClock()
  let browser: Browser
  let service: TestService
  let receiver: TestReceiver
  let taskId: number
  let inReview: number
  before(async () => {
    ;[browser, service, receiver] = await Promise.all([
      openBrowser(),
      aService({ data: folder, clock }),
      TestReceiver.start(),
    ])
    const { secret } = await service.client.createSubscription({ body: { url: receiver.url } })
    receiver.secrets.push(secret)
    receiver.status = 500
    taskId = await service.create(aCreateBody())
    await service.reaches(taskId, 'Pending')
    await service.signs(taskId)
    const failed = await service.create(aCreateBody({ performer: { signer: { userNPI: '9999900043' } } }))
    await service.reaches(failed, 'Failed')
    await service.reaches(await service.create(aCreateBody()), 'Pending')
    await eventually(() => troubled(join(folder, 'countersign.sqlite'), clock.now()))
    inReview = await service.create(aCreateBody({ patient: TWIN }))
    await service.reaches(inReview, 'Processing')
  })
  after(async () => {
    await browser?.close()
    await service?.stop()
    await receiver?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  async function visit(who: string, look: Look) {
    const opened = await visitor(browser, look)
    await opened.page.goto(`${service.baseUrl}/console#/tasks`)
    await opened.page.getByRole('button', { name: who }).click()
    await opened.page.getByRole('heading', { name: 'Tasks' }).waitFor()
    return opened
  }
  const parts = ({ page }: Opened) => ({
    go: async (route: string, heading: string) => {
      await page.goto(`${service.baseUrl}/console#/${route}`)
      await page.getByRole('heading', { level: 1, name: heading }).waitFor()
      await page.getByRole('rowheader').first().waitFor()
    },
    button: (name: string | RegExp) => page.getByRole('button', { name }),
    back: () => page.keyboard.press('Escape'),
  })

  for (const look of looks) {
    const where = `at ${look.width} pixels`

    it(`is without fault where tasks are followed, ${where}`, async () => {
      const opened = await visit('Service operator', look)
      const { page } = opened
      const { go, button, back } = parts(opened)
      const check = (name: string) => goodLook(opened, `console-${name}`)
      await page.getByRole('rowheader').first().waitFor()
      await check('tasks')
      await page.goto(`${service.baseUrl}/console#/tasks/${taskId}`)
      await page
        .getByText(/Attempt 1: refused, answer 500/)
        .first()
        .waitFor()
      await check('timeline')
      await page.goto(`${service.baseUrl}/console#/tasks/${inReview}`)
      await page.getByRole('heading', { name: 'Who is the patient?' }).waitFor()
      await check('review')
      await button('Can’t tell: return to sender').click()
      await check('review-fail')
      await back()
      await button('Cancel task').click()
      await check('cancel')
      await back()
      await go('review', 'Manual review')
      await check('review-list')
      await go('receivers', 'Receivers')
      await check('receivers')
      await page.getByRole('rowheader').getByRole('link').first().click()
      await page.getByRole('heading', { name: 'Resend' }).waitFor()
      await page.getByText(/Nothing to resend|would go out/).waitFor()
      await check('receiver')
      await button('New secret').click()
      await check('receiver-secret')
      await back()
      await page.getByRole('searchbox', { name: 'Find a task' }).fill('Whitfield')
      await page.keyboard.press('Enter')
      await page.getByRole('rowheader').first().waitFor()
      await check('found')
      await go('deliveries', 'Deliveries')
      // Newer deliveries wait while their receiver is spared.
      await page.locator('details summary').last().click()
      await page.locator('.attempts li').first().waitFor()
      await check('deliveries')
      await page.goto(`${service.baseUrl}/console#/tasks/999999`)
      await page.getByText('There is no task 999999.').waitFor()
      await check('task-unknown')
      // The browser itself reports the refused call.
      expect(opened.errors.filter((text) => !text.includes('404'))).to.deep.equal([])
      await opened.close()
    })

    it(`is without fault where it is set up, ${where}`, async () => {
      const opened = await visit('Service operator', look)
      const { page } = opened
      const { go, button, back } = parts(opened)
      const check = (name: string) => goodLook(opened, `console-${name}`)
      await go('organizations', 'Organizations')
      await check('organizations')
      await page.getByRole('link', { name: 'Willow Creek Home Health' }).click()
      await page.getByText('API keys', { exact: true }).last().waitFor()
      await check('organization')
      await page.getByLabel('Attached files, sound, film').scrollIntoViewIfNeeded()
      await check('organization-active-content')
      await page.getByRole('link', { name: 'Manage keys' }).click()
      await page.getByLabel('Owner').fill('Ann Vale')
      await page.getByLabel('Description').fill('Test bench')
      await button('Create key').click()
      await page.locator('.new-key').waitFor()
      await check('new-key')
      await button('I have saved it').click()
      await check('keys')
      await button(/^Rotate Test bench/)
        .first()
        .click()
      await check('rotate-key')
      await back()
      await button(/^Revoke Test bench/)
        .first()
        .click()
      await check('revoke-key')
      await back()
      await go('people', 'People')
      await page.getByRole('checkbox', { name: 'Ruth Calder DO is active' }).waitFor()
      await check('people')
      await button('Organizations of Ruth Calder DO').click()
      await check('memberships')
      await back()
      await go('audit', 'Audit log')
      await button('Verify').click()
      await page
        .getByRole('main')
        .getByText(/^Verified to entry/)
        .waitFor()
      await check('audit')
      await go('instances', 'Instances')
      await page.getByText('demo signers').last().waitFor()
      await page.getByRole('rowheader', { name: 'node-2:8092' }).waitFor()
      await page.getByText('overloaded', { exact: true }).waitFor()
      await check('instances')
      await go('people', 'People')
      await button('New password for Service operator').click()
      await check('new-password')
      await back()
      await button('Remove Willow Creek administrator').click()
      await check('remove-account')
      await back()
      expect(opened.errors).to.deep.equal([])
      await opened.close()
    })

    it(`is without fault where templates are made, ${where}`, async () => {
      const opened = await visit('Service operator', look)
      const { page } = opened
      const { go, button, back } = parts(opened)
      const check = (name: string) => goodLook(opened, `console-${name}`)
      await go('templates', 'Templates')
      await check('templates')
      await button(`Retire template ${TEMPLATE.verbalOrder}`).click()
      await check('retire')
      await back()
      await page.goto(`${service.baseUrl}/console#/templates/new`)
      await page.getByText('Choose a sample PDF').waitFor()
      await check('template-new')
      await page.goto(`${service.baseUrl}/console#/templates/${TEMPLATE.verbalOrder}`)
      await page.getByLabel('Name').waitFor()
      await check('template-rules')
      const buffer = Buffer.from(await demoOrder(daysFromToday(0)))
      await page.locator('input[type=file]').setInputFiles({ name: 's.pdf', mimeType: 'application/pdf', buffer })
      await page.locator('.sheet[data-drawn]').waitFor()
      await page.locator('.palette button.TextArea').click()
      await page.locator('.placed.selected').waitFor()
      await check('template-editor')
      expect(opened.errors).to.deep.equal([])
      await opened.close()
    })
  }

  it('is without fault when a worker is late', async () => {
    const database = new DatabaseSync(join(folder, 'countersign.sqlite'), { timeout: 0 })
    // The service may be writing at this moment.
    await eventually(() => database.exec('ALTER TABLE event RENAME TO event_taken_away'))
    clock.advance(15_000)
    for (const look of looks) {
      const opened = await visitor(browser, look)
      await opened.page.goto(`${service.baseUrl}/console#/organizations`)
      await opened.page.getByRole('button', { name: 'Service operator' }).click()
      await opened.page.locator('.workers .late').first().waitFor()
      await goodLook(opened, 'console-worker-late')
      await opened.close()
    }
    await eventually(() => database.exec('ALTER TABLE event_taken_away RENAME TO event'))
    database.close()
  })
})
