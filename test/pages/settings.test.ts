/** What is set up once and changed now and then, in the browser: accounts, providers, templates; and the health of the workers. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect } from 'chai'
import type { Browser } from 'playwright-core'
import { demoOrder } from '../../scripts/demo-order.ts'
import { SIGN_INS_PER_ACCOUNT } from '../../server/choices.ts'
import { aVisit } from '../support/browser/a-visit.ts'
import { accessibilityFaults } from '../support/browser/axe.ts'
import { type Opened, openBrowser, visitor } from '../support/browser/browser.ts'
import { goodLook } from '../support/browser/good-look.ts'
import { eventually } from '../support/eventually.ts'
import { runningClock } from '../support/fake-clock.ts'
import { aCreateBody, daysFromToday, SIGNER, TEMPLATE } from '../support/service/a-create-body.ts'
import { aService, type TestService } from '../support/service/a-service.ts'

describe('the settings in the browser', function () {
  // A browser is slow at times, when other work runs beside it.
  this.timeout(60_000)
  const folder = mkdtempSync(join(tmpdir(), 'countersign-settings-'))
  const clock = runningClock()
  let browser: Browser
  let service: TestService
  let open: Opened
  before(async () => {
    ;[browser, service] = await Promise.all([openBrowser(), aService({ data: folder, clock })])
  })
  after(async () => {
    await browser?.close()
    await service?.stop()
    rmSync(folder, { recursive: true, force: true })
  })
  afterEach(async () => {
    const { errors } = open
    await open.close()
    expect(errors).to.deep.equal([])
  })

  const visit = async (who: string) => {
    open = await visitor(browser)
    await open.page.goto(`${service.baseUrl}/console#/tasks`)
    await open.page.getByRole('button', { name: who }).click()
    await open.page.getByRole('heading', { name: 'Tasks' }).waitFor()
    return open.page
  }

  /** An administrator of Willow Creek, as an operator adds one. */
  async function anAdministrator(name: string, email: string): Promise<void> {
    const operator = aVisit(service.baseUrl)
    await operator.signInAs('Service operator')
    const organizations = await operator.ask<{ id: number; name: string }[]>('GET', '/admin/v1/organizations')
    const { id: organizationId } = organizations.body.find((one) => one.name === 'Willow Creek Home Health')!
    const account = { name, email, role: 'administrator', organizationId, password: 'correct horse battery staple' }
    expect((await operator.ask('POST', '/admin/v1/accounts', account)).status).to.equal(201)
  }

  it('lets an administrator give a new password, and name the operator for new accounts', async () => {
    await anAdministrator('Ann Vale', 'ann@willow.example')
    const page = await visit('Willow Creek administrator')
    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByRole('link', { name: 'People' }).click()
    expect(await page.getByRole('button', { name: 'Add provider' }).count()).to.equal(0)
    await page.getByText('To add an administrator, ask the operator of this service.').waitFor()
    expect(await page.getByRole('button', { name: 'Add account' }).count()).to.equal(0)
    await page.getByRole('button', { name: 'New password for Ann Vale' }).click()
    await page.getByRole('dialog').getByLabel('New password').fill('another horse, another staple')
    expect(await accessibilityFaults(page)).to.deep.equal([])
    await open.shoot('new-password')
    await page.getByRole('button', { name: 'Set password' }).click()
    await page.getByText('Ann Vale has a new password.').waitFor()
    const ann = aVisit(service.baseUrl)
    expect((await ann.signIn('ann@willow.example', 'another horse, another staple')).status).to.equal(200)
  })

  it('says what an address lacks, of a new organization and of one that is there, and keeps what was entered', async () => {
    const page = await visit('Service operator')
    await page.goto(`${service.baseUrl}/console#/organizations`)
    const missing = page.getByText('The postal code is missing. Documents find their organization by it.')
    await page.getByLabel('Name', { exact: true }).fill('Harbor Clinic')
    await page.getByLabel('Street').fill('1 Quay')
    await page.getByRole('button', { name: 'Add organization' }).click()
    await missing.waitFor()
    expect(await page.getByLabel('Street').inputValue()).to.equal('1 Quay')
    await page.getByLabel('Postal code').fill('55802')
    await page.getByRole('button', { name: 'Add organization' }).click()
    await page.getByText('Harbor Clinic has been added.').waitFor()

    await page.getByRole('link', { name: 'Harbor Clinic' }).click()
    // The page before this one has such fields, too.
    await page.getByRole('heading', { name: 'Harbor Clinic' }).waitFor()
    await page.getByLabel('City', { exact: true }).fill('Duluth')
    await page.getByRole('button', { name: 'Add address' }).click()
    await missing.waitFor()
    expect(await accessibilityFaults(page)).to.deep.equal([])
    await open.shoot('address-without-postal-code')
    await page.getByLabel('Postal code').fill('55803')
    await page.getByRole('button', { name: 'Add address' }).click()
    await page.getByRole('button', { name: 'Remove Duluth, 55803' }).waitFor()
  })

  it('disables, enables and removes an account, after asking', async () => {
    await anAdministrator('Cy Vale', 'cy@willow.example')
    const page = await visit('Willow Creek administrator')
    await page.goto(`${service.baseUrl}/console#/accounts`)
    const row = page.getByRole('row', { name: /Cy Vale/ })
    await row.waitFor()
    const cy = aVisit(service.baseUrl)
    const status = async () => (await cy.signIn('cy@willow.example', 'correct horse battery staple')).status
    expect(await status()).to.equal(200)
    const end = async (text: string) => {
      await page.getByRole('button', { name: `${text} Cy Vale` }).click()
      expect(await accessibilityFaults(page)).to.deep.equal([])
      await open.shoot(`account-${text.toLowerCase()}`)
      await page.getByRole('button', { name: `${text} account` }).click()
    }
    await end('Disable')
    await row.getByText('disabled').waitFor()
    expect((await cy.ask('GET', '/admin/v1/counts')).status).to.equal(401)
    expect(await status()).to.equal(401)
    await end('Enable')
    await row.getByText('active').waitFor()
    expect(await status()).to.equal(200)
    await end('Remove')
    await row.waitFor({ state: 'detached' })
    expect(await status()).to.equal(401)
    const own = page.getByRole('row', { name: /Willow Creek administrator/ })
    expect(await own.getByRole('button', { name: /Disable|Remove/ }).count()).to.equal(0)
  })

  it('shows which account is locked after wrong passwords, and unlocks it', async () => {
    await anAdministrator('Ed Vale', 'ed@willow.example')
    const page = await visit('Willow Creek administrator')
    await page.goto(`${service.baseUrl}/console#/accounts`)
    const row = page.getByRole('row', { name: /Ed Vale/ })
    await row.getByText('active').waitFor()
    const ed = aVisit(service.baseUrl)
    for (let n = 0; n < SIGN_INS_PER_ACCOUNT; n++) await ed.signIn('ed@willow.example', `guess ${n}`)
    expect((await ed.signIn('ed@willow.example', 'correct horse battery staple')).status).to.equal(429)
    await page.reload()
    await row.getByText('locked').waitFor()
    expect(await accessibilityFaults(page)).to.deep.equal([])
    await open.shoot('account-locked')
    await page.getByRole('button', { name: 'Unlock Ed Vale' }).click()
    await page.getByText('Ed Vale can try to sign in again at once.').waitFor()
    await row.getByText('active').waitFor()
    expect((await ed.signIn('ed@willow.example', 'correct horse battery staple')).status).to.equal(200)
  })

  it('lets people change their own password, and keeps them signed in', async () => {
    const [old, next] = ['correct horse battery staple', 'another horse, another staple']
    await anAdministrator('Di Vale', 'di@willow.example')
    const page = await visit('Willow Creek administrator')
    await page.goto(`${service.baseUrl}/console#/accounts`)
    await page.getByRole('row', { name: /Di Vale/ }).waitFor()
    await page.getByRole('button', { name: 'Sign out', exact: true }).click()
    const signIn = page.getByRole('button', { name: 'Sign in', exact: true })
    // The form for new accounts has fields of the same names.
    await signIn.waitFor()
    await page.getByLabel('E-mail').fill('di@willow.example')
    await page.getByLabel('Password').fill(old)
    await signIn.click()

    await page.getByRole('button', { name: 'Account', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Change password' }).click()
    await dialog.getByLabel('Current password').fill('not the password')
    await dialog.getByLabel('New password').fill(next)
    expect(await accessibilityFaults(page)).to.deep.equal([])
    await dialog.getByRole('button', { name: 'Change password' }).click()
    await dialog.getByText('current: not your password').waitFor()
    await open.shoot('own-password-refused')
    // The browser itself reports the refused call.
    open.errors.length = 0
    await dialog.getByLabel('Current password').fill(old)
    await dialog.getByRole('button', { name: 'Change password' }).click()
    await page.getByText('Your password has been changed.').waitFor()
    await page.getByRole('link', { name: 'Templates' }).click()
    await page.getByRole('heading', { name: 'Templates' }).waitFor()
    expect((await aVisit(service.baseUrl).signIn('di@willow.example', next)).status).to.equal(200)
  })

  it('keeps what was entered when the service refuses it, and empties the form once it is taken', async () => {
    const page = await visit('Service operator')
    await page.goto(`${service.baseUrl}/console#/accounts`)
    await page.getByLabel('Role').selectOption('operator')
    const name = page.getByLabel('Name', { exact: true })
    const password = page.getByRole('textbox', { name: 'Password' })
    await name.fill('Bo Vale')
    await page.getByRole('textbox', { name: 'E-mail' }).fill('bo@willow.example')
    await password.fill('password1234')
    await page.getByRole('button', { name: 'Add account' }).click()
    await page.locator('.announcement.wrong').waitFor()
    expect(await name.inputValue()).to.equal('Bo Vale')
    // The browser itself reports the refused call.
    open.errors.length = 0
    await password.fill('correct horse battery staple')
    await page.getByRole('button', { name: 'Add account' }).click()
    await page.getByText('Bo Vale can sign in now.').waitFor()
    await page.getByRole('row', { name: /Bo Vale/ }).waitFor()
    await eventually(async () => expect(await name.inputValue()).to.equal(''))
  })

  it('lets an operator change where a provider signs', async () => {
    const page = await visit('Service operator')
    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByRole('link', { name: 'People' }).click()
    await page.getByRole('button', { name: 'Organizations of Ruth Calder DO' }).click()
    await page.getByLabel('Active at Northfield Hospice').check()
    await page.getByLabel('Northfield Hospice is the primary one').check()
    expect(await accessibilityFaults(page)).to.deep.equal([])
    await open.shoot('memberships')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('row', { name: /Ruth Calder DO.* Northfield Hospice; / }).waitFor()
    const { organizations } = await service.client.findProvider({ params: { npi: SIGNER.calder } })
    expect(organizations[0]?.name).to.equal('Northfield Hospice')
  })

  it('lists signers and staff in one list, narrowed by words and filters that the address keeps', async () => {
    const page = await visit('Service operator')
    await page.goto(`${service.baseUrl}/console#/providers?npi=9999900076`)
    await page.getByRole('heading', { name: 'People', exact: true }).waitFor()
    expect(page.url()).to.match(/#\/people\?npi=9999900076$/)
    expect(await page.getByLabel('NPI', { exact: true }).inputValue()).to.equal('9999900076')
    const row = (name: RegExp) => page.getByRole('row', { name })
    await row(/Ruth Calder DO NPI 9999900035.* signer /).waitFor()
    await row(/Service operator.* operator /).waitFor()
    const find = page.getByRole('searchbox', { name: 'Find', exact: true })
    for (const words of ['9999900035', 'calder ruth', 'RUTH']) {
      await find.fill(words)
      await row(/Service operator/).waitFor({ state: 'detached' })
      await row(/Ruth Calder DO/).waitFor()
    }
    await find.fill('operator')
    await row(/Ruth Calder DO/).waitFor({ state: 'detached' })
    await find.fill('')
    await page.getByLabel('Who').selectOption('Administrators')
    await row(/Ruth Calder DO/).waitFor({ state: 'detached' })
    await row(/Willow Creek administrator .*Willow Creek Home Health/).waitFor()
    await page.locator('.filters select').nth(1).selectOption('Willow Creek Home Health')
    await page.getByLabel('State').selectOption('active')
    await page.reload()
    await row(/Willow Creek administrator/).waitFor()
    expect(await row(/Northfield/).count()).to.equal(0)
    await page.getByLabel('State').selectOption('locked account')
    await page.getByText('No people match these filters.').waitFor()
    await page.goto(`${service.baseUrl}/console#/accounts`)
    await row(/Service operator/).waitFor()
    await goodLook(open, 'people')
  })

  it('asks before an organization is deactivated, with the keys that are refused from then on; its NPI is given later', async () => {
    const page = await visit('Service operator')
    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByRole('link', { name: 'Willow Creek Home Health' }).click()
    await page.getByLabel('NPI').fill('1234567893')
    await page.getByRole('button', { name: 'Save NPI' }).click()
    await page.getByText('The NPI of Willow Creek Home Health is 1234567893.').waitFor()
    await page.getByRole('button', { name: 'Deactivate', exact: true }).click()
    const question = page.getByRole('dialog', { name: 'Deactivate Willow Creek Home Health' })
    await question.getByText(/^Its [1-9]\d* valid keys? will be refused, and no task will be routed to it/).waitFor()
    expect(await accessibilityFaults(page)).to.deep.equal([])
    await open.shoot('organization-deactivate')
    await question.getByRole('button', { name: 'Back' }).click()
    await question.waitFor({ state: 'detached' })
    const sends = async () => (await service.ask('GET', '/api/v1/signature/tasks', { key: service.key })).status
    expect(await sends(), 'not asked for').to.equal(200)
    await page.getByRole('button', { name: 'Deactivate', exact: true }).click()
    await question.getByRole('button', { name: 'Deactivate organization' }).click()
    await page.getByText('Willow Creek Home Health is inactive.').waitFor()
    expect(await sends(), 'inactive').to.be.within(401, 403)
    await page.getByRole('button', { name: 'Activate', exact: true }).click()
    await page.getByText('Willow Creek Home Health is active.').waitFor()
    expect(await sends()).to.equal(200)
  })

  it('asks before a signer is deactivated, with the orders that wait, and not before one is activated', async () => {
    await service.reaches(await service.create(aCreateBody()), 'Pending')
    await service.reaches(await service.create(aCreateBody()), 'Pending')
    const page = await visit('Service operator')
    await page.goto(`${service.baseUrl}/console#/providers`)
    const active = page.getByRole('checkbox', { name: 'Ruth Calder DO is active' })
    const question = page.getByRole('dialog', { name: 'Deactivate Ruth Calder DO?' })
    await active.click()
    await question.getByText('2 orders cannot be signed until the signer is active again.').waitFor()
    expect(await accessibilityFaults(page)).to.deep.equal([])
    await open.shoot('signer-deactivate')
    await question.getByRole('button', { name: 'Back' }).click()
    await question.waitFor({ state: 'detached' })
    expect(await active.isChecked()).to.equal(true)
    await active.click()
    await question.getByRole('button', { name: 'Deactivate signer' }).click()
    await page.getByText('Ruth Calder DO gets no new orders from now on.').waitFor()
    await page.locator('input:not(:checked)').and(active).waitFor()
    await active.click()
    await page.getByText(`NPI ${SIGNER.calder} is active.`).waitFor()
    await page.locator('input:checked').and(active).waitFor()
  })

  it('edits a template on a sample, and retires one', async () => {
    const page = await visit('Willow Creek administrator')
    await page.getByRole('link', { name: 'Templates' }).click()
    await page.getByRole('link', { name: `Edit template ${TEMPLATE.verbalOrder}` }).click()
    await page.getByLabel('Name').fill('Order by telephone')
    const buffer = Buffer.from(await demoOrder(daysFromToday(0)))
    await page.locator('input[type=file]').setInputFiles({ name: 's.pdf', mimeType: 'application/pdf', buffer })
    await page.locator('.sheet[data-drawn]').waitFor()
    const field = page.getByRole('button', { name: /^Signature, page 1/ }).first()
    const before = (await field.getAttribute('aria-label'))!
    await field.focus()
    await page.keyboard.press('Shift+ArrowRight')
    expect(await field.getAttribute('aria-label')).not.to.equal(before)
    await open.shoot('template-edited')
    expect(await accessibilityFaults(page)).to.deep.equal([])
    await page.getByRole('button', { name: 'Save template' }).click()
    await page.getByRole('row', { name: /Order by telephone/ }).waitFor()
    const summaries = async () => (await service.client.listTemplates()).map(({ summary }) => summary)
    expect(await summaries()).to.include('Order by telephone')

    await page.getByRole('button', { name: `Retire template ${TEMPLATE.verbalOrder}` }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Retire template' }).click()
    await page.getByText(`Template ${TEMPLATE.verbalOrder} has been retired.`).waitFor()
    await page.getByRole('row', { name: /Order by telephone/ }).waitFor({ state: 'detached' })
    expect(await summaries()).not.to.include('Order by telephone')
  })

  it('shows a worker that is late, and none while all are on time', async () => {
    const page = await visit('Service operator')
    const workers = page.getByRole('list', { name: 'Workers, last round' })
    await workers.waitFor({ state: 'detached' })

    const database = new DatabaseSync(join(folder, 'countersign.sqlite'))
    database.exec('ALTER TABLE event RENAME TO event_taken_away')
    clock.advance(30_000)
    const late = page.locator('.workers .late')
    await late.filter({ hasText: /^deliveries last round \d+ s ago, late, last fault \d+ s ago$/ }).waitFor()
    await eventually(async () =>
      expect(await workers.getByRole('listitem').count(), 'the others are on time').to.equal(1),
    )
    await open.shoot('worker-late')
    expect(await accessibilityFaults(page)).to.deep.equal([])
    database.exec('ALTER TABLE event_taken_away RENAME TO event')
    database.close()
    await late.waitFor({ state: 'detached' })
  })
})
