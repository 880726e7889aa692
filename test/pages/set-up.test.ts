/** Setting an agency up in one page, from its name to a test order that its receiver hears of; by keys alone, and left in between. */
import { expect } from 'chai'
import type { Browser, Page } from 'playwright-core'
import { aVisit } from '../support/browser/a-visit.ts'
import { type Opened, openBrowser, visitor } from '../support/browser/browser.ts'
import { goodLook, looks } from '../support/browser/good-look.ts'
import { eventually } from '../support/eventually.ts'
import { TestReceiver } from '../support/network/test-receiver.ts'
import { aService, type TestService } from '../support/service/a-service.ts'

describe('the set-up of an agency', function () {
  this.timeout(120_000)
  let browser: Browser
  let service: TestService
  let receiver: TestReceiver
  let open: Opened
  before(async () => {
    ;[browser, service, receiver] = await Promise.all([openBrowser(), aService(), TestReceiver.start()])
  })
  after(async () => {
    await browser?.close()
    await service?.stop()
    await receiver?.stop()
  })
  afterEach(async () => {
    const { errors } = open
    await open.close()
    expect(errors.filter((error) => !/40[09] \(/.test(error))).to.deep.equal([])
  })

  const visit = async (look = {}): Promise<Page> => {
    open = await visitor(browser, look)
    await open.page.goto(`${service.baseUrl}/console#/organizations`)
    await open.page.getByRole('button', { name: 'Service operator' }).click()
    await open.page.getByRole('heading', { level: 1, name: 'Organizations' }).waitFor()
    return open.page
  }
  const step = (name: string) => open.page.getByRole('region', { name })
  /** The state of each step, in order. */
  const states = () => open.page.locator('.step-state').allTextContents()
  const add = async (name: string) => {
    const { page } = open
    await page.getByRole('link', { name: 'Add an agency' }).click()
    await step('The agency').getByLabel('Name').fill(name)
    await page.keyboard.press('Enter')
    await step('Its API key').getByLabel('Owner').waitFor()
  }

  it('leads from the name to a signed order whose callbacks arrive, and can be left and taken up again', async () => {
    const page = await visit()
    await add('Pine Ridge Home Care')
    expect(await states()).to.deep.equal(['done', 'to do', 'can wait', 'done', 'to do'])
    await step('A test order').getByText('First comes: Its API key.').waitFor()
    await step('Its API key').getByLabel('Owner').fill('Lee Park')
    await step('Its API key').getByRole('button', { name: 'Create key' }).click()
    await page.getByRole('dialog').locator('.new-key').waitFor()
    await page.getByRole('button', { name: 'I have saved it' }).click()
    await step('Its API key').getByText('Lee Park').waitFor()
    expect(await states()).to.deep.equal(['done', 'done', 'can wait', 'done', 'to do'])

    const receivers = step('Its receiver of callbacks')
    await receivers.getByLabel('URL').fill(receiver.url)
    await receivers.getByRole('button', { name: 'Add receiver' }).click()
    const secret = await page.getByRole('dialog').locator('.new-key').textContent()
    receiver.secrets.push(secret!)
    await page.getByRole('button', { name: 'I have saved it' }).click()
    await receivers.getByRole('button', { name: 'Send a test event' }).click()
    await receivers.getByText(/^The test event was delivered, answer 204, in \d+ ms\.$/).waitFor()
    expect(receiver.received.at(-1)?.refusal).to.equal(null)
    receiver.status = 503
    await receivers.getByRole('button', { name: 'Send a test event' }).click()
    await receivers.getByText(/^The test event was refused, answer 503/).waitFor()
    receiver.status = 204

    await page.reload()
    const test = step('A test order')
    await test.getByLabel('Signer').selectOption({ label: 'Helen Marsh MD, 9999900019' })
    expect(await states()).to.deep.equal(['done', 'done', 'done', 'done', 'to do'])
    await test.getByRole('button', { name: 'Send a test order' }).click()
    await test.getByText('In the inbox of Helen Marsh MD.', { exact: true }).waitFor()
    await test.getByText('Test order of Pine Ridge Home Care, sent by Service operator.').waitFor()
    // The demo script signs after ten seconds.
    await test
      .getByText('It went through: the signer decided, and every receiver accepted it.')
      .waitFor({ timeout: 60_000 })
    await test.getByText('Signed by the demo script of Helen Marsh MD, not by a person.').first().waitFor()
    expect(await states()).to.deep.equal(Array(5).fill('done'))
    expect(receiver.received.map(({ event }) => event?.status)).to.include.members(['Pending', 'Completed'])
    await page.getByRole('button', { name: 'Finish' }).click()
    await page.getByRole('heading', { level: 1, name: 'Pine Ridge Home Care' }).waitFor()
    await page.getByRole('link', { name: 'Set-up' }).click()
    await step('A test order')
      .getByText(/^It went through/)
      .waitFor()
  })

  it('cancels a test order that nobody signed when the operator finishes', async () => {
    const page = await visit()
    await add('Cedar Home Care')
    await page.keyboard.type('Ann Vale')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'I have saved it' }).click()
    const test = step('A test order')
    await test.getByLabel('Signer').selectOption({ label: 'Ruth Calder DO, 9999900035' })
    await test.getByRole('button', { name: 'Send a test order' }).click()
    await test.getByText('In the inbox of Ruth Calder DO.', { exact: true }).waitFor()
    await page.getByText('Nobody has signed the test order yet. Finishing cancels it.').waitFor()
    await page.getByRole('button', { name: 'Finish' }).click()
    await page.getByRole('heading', { level: 1, name: 'Cedar Home Care' }).waitFor()
    await page.goBack()
    await step('A test order').getByText('Cancelled.', { exact: true }).waitFor()
  })

  it('says what is wrong next to each field, and goes there', async () => {
    const page = await visit()
    await page.getByRole('link', { name: 'Add an agency' }).click()
    await page.getByRole('button', { name: 'Add the agency' }).click()
    /** Whether the field has the focus, and what is said of it. */
    const wrong = async (label: string) => {
      const field = page.getByLabel(label)
      const told = await field.getAttribute('aria-describedby')
      return [
        await field.and(page.locator(':focus')).count(),
        told && (await page.locator(`[id="${told}"]`).textContent()),
      ]
    }
    expect(await wrong('Name')).to.deep.equal([1, 'Fill this in.'])
    await page.getByLabel('Name').fill('Pine Ridge Home Care')
    await page.getByLabel('NPI').fill('12')
    await page.keyboard.press('Enter')
    await eventually(async () => expect(await wrong('NPI')).to.deep.equal([1, 'Exactly 10 digits.']))
    await page.getByLabel('NPI').fill('')
    await page.keyboard.press('Enter')
    await eventually(async () =>
      expect(await wrong('Name')).to.deep.equal([1, 'An organization has this name already.']),
    )
    await goodLook(open, 'set-up-wrong')
  })

  it('adds a signer by NPI with a sign-in, and knows one who is there', async () => {
    const page = await visit()
    await add('Birch Home Care')
    const signers = step('Its signers')
    await signers.locator('summary').click()
    await signers.getByLabel('NPI of the signer').fill('9999900019')
    await signers.getByText('Helen Marsh MD is known here and needs no other details.').waitFor()
    await page.keyboard.press('Enter')
    await signers.getByText(/Helen Marsh MD, NPI 9999900019: a demo signer/).waitFor()
    await signers.getByLabel('NPI of the signer').fill('1234567893')
    for (const [label, text] of [
      ['First name', 'Zoe'],
      ['Last name', 'Ziegler'],
      ['Signs as', 'Zoe Ziegler MD'],
    ] as const)
      await signers.getByLabel(label).fill(text)
    await page.keyboard.press('Enter')
    await signers.getByText(/Zoe Ziegler MD, NPI 1234567893: cannot sign in yet/).waitFor()
    await signers.getByLabel('E-mail').fill('zoe@practice.example')
    await signers.getByLabel('First password').fill('password')
    await page.keyboard.press('Enter')
    await signers.getByText('At least 12 characters.', { exact: true }).waitFor()
    await signers.getByLabel('First password').fill('four unrelated words of mine')
    await page.keyboard.press('Enter')
    await signers.getByText(/signs in as zoe@practice\.example/).waitFor()
  })

  it('needs no mouse', async () => {
    const page = await visit()
    const press = async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key)
    }
    await page.getByRole('link', { name: 'Add an agency' }).focus()
    await press('Enter')
    await step('The agency').waitFor()
    await press('Tab')
    await page.keyboard.type('Spruce Home Care')
    await press('Enter')
    // The focus goes on to the next step by itself.
    await page.locator('[name="personName"]:focus').waitFor()
    await page.keyboard.type('Lee Park')
    await press('Enter')
    await page.getByRole('dialog').waitFor()
    await press('Tab', 'Enter')
    await page.locator('[name="signerNpi"]:focus').waitFor()
    await press('R')
    await press('Tab', 'Tab', 'Enter')
    await step('A test order').getByText('In the inbox of Ruth Calder DO.', { exact: true }).waitFor()
    await step('A test order').getByRole('button', { name: 'Cancel the test order' }).focus()
    await press('Enter')
    await step('A test order').getByText('Cancelled.', { exact: true }).waitFor()
  })

  for (const look of looks)
    it(`is without fault at ${look.width} pixels, new and under way`, async () => {
      const page = await visit(look)
      await page.getByRole('link', { name: 'Add an agency' }).click()
      await step('The agency').waitFor()
      await goodLook(open, 'set-up-new')
      await page.getByRole('link', { name: 'Organizations' }).first().click()
      await page.getByRole('link', { name: 'Cedar Home Care' }).click()
      await page.getByRole('link', { name: 'Set-up' }).click()
      await step('A test order').getByText('Cancelled.', { exact: true }).waitFor()
      await goodLook(open, 'set-up')
    })
})

describe('a service without an agency', function () {
  this.timeout(60_000)
  it('leads from its first page to the set-up of the first one', async () => {
    const [browser, service] = await Promise.all([openBrowser(), aService()])
    const open = await visitor(browser)
    const { page } = open
    try {
      await page.goto(`${service.baseUrl}/console`)
      await page.getByRole('button', { name: 'Service operator' }).click()
      await page.getByRole('heading', { level: 2, name: 'Needs you' }).waitFor()
      expect(await page.getByText('No agency yet').count()).to.equal(0)
      const operator = aVisit(service.baseUrl)
      await operator.signInAs('Service operator')
      const { body } = await operator.ask<{ id: number }[]>('GET', '/admin/v1/organizations')
      for (const { id } of body)
        await operator.ask('PATCH', `/admin/v1/organizations/${id}`, { ingestionEnabled: false })
      await page.reload()
      await page.getByRole('link', { name: 'Add an agency' }).click()
      await page.getByRole('heading', { level: 1, name: 'Set up an agency' }).waitFor()
    } finally {
      await open.close()
      await browser.close()
      await service.stop()
    }
  })
})
