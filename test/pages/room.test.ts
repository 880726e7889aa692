/** The control room: a demonstration from one page, without a terminal. */
import { expect } from 'chai'
import type { Browser } from 'playwright-core'
import { accessibilityFaults } from '../support/browser/axe.ts'
import { type Opened, openBrowser, visitor } from '../support/browser/browser.ts'
import { goodLook, looks } from '../support/browser/good-look.ts'
import { eventually } from '../support/eventually.ts'
import { aPdf } from '../support/pdf/a-pdf.ts'
import { aCreateBody } from '../support/service/a-create-body.ts'
import { aService, type TestService } from '../support/service/a-service.ts'

describe('The page /sandbox', function () {
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

  async function opened(look = {}): Promise<Opened> {
    const visit = await visitor(browser, look)
    await visit.page.goto(`${service.baseUrl}/sandbox`)
    await visit.page.getByRole('button', { name: 'Service operator' }).click()
    await visit.page.getByRole('heading', { level: 1, name: 'Control room' }).waitFor()
    await visit.page.getByRole('heading', { name: 'Clock' }).waitFor()
    return visit
  }
  const partOf = ({ page }: Opened, name: string) => page.getByRole('region', { name })

  it('is reached from the page at the root, and from the banner of each page', async () => {
    const visit = await visitor(browser)
    const { page } = visit
    await page.goto(service.baseUrl)
    await page.getByRole('main').getByRole('link', { name: 'Control room' }).click()
    await page.getByRole('heading', { name: 'Sign in to the control room' }).waitFor()
    expect(await page.getByRole('button', { name: 'Ruth Calder' }).count()).to.equal(0)
    for (const [path, person] of [
      ['/console', 'Service operator'],
      ['/inbox', 'Ruth Calder'],
    ] as const) {
      await page.goto(service.baseUrl + path)
      await page.getByRole('button', { name: person }).click()
      await page.getByRole('complementary', { name: 'Sandbox' }).getByRole('link', { name: 'Control room' }).waitFor()
    }
    expect(visit.errors).to.deep.equal([])
    await visit.close()
  })

  it('shows the whole way of an order: sent, followed, signed by a script that was chosen, and reset', async () => {
    const visit = await opened()
    const { page } = visit
    const [send, traffic] = [partOf(visit, 'Send an order'), partOf(visit, 'Traffic')]
    await send.getByLabel('Patient').selectOption({ label: 'Jörg Müller' })
    await send.getByLabel('Signer').selectOption({ label: 'Ruth Calder DO' })
    await send.getByText('What each signer does').click()
    await send.getByText('Ruth Calder DO waits for you').click()
    const card = send.getByRole('listitem').filter({ hasText: 'Ruth Calder' })
    await card.getByLabel('Outcome').selectOption('reject')
    await card.getByLabel('After').fill('60')
    await card.getByLabel('Reason').fill('Wrong chart')
    await card.getByRole('button', { name: 'Save' }).click()
    await send.getByText('rejects after 60 s: “Wrong chart”').waitFor()
    await send.getByRole('button', { name: 'Send', exact: true }).click()
    const made = await send.getByText(/^201: task \d+/).textContent()
    const taskId = Number(/task (\d+)/.exec(made!)![1])
    await traffic.getByText('createTask').first().waitFor()
    await service.reaches(taskId, 'Pending')
    await partOf(visit, 'Clock').getByRole('button', { name: '+ 1 hour' }).click()
    expect((await service.reaches(taskId, 'Rejected')).statusReason).to.include('Wrong chart')
    await traffic.getByText('createTask').first().click()
    await traffic.getByText('(withheld)').waitFor()
    expect(await traffic.textContent()).not.to.include(service.key)

    await page.getByRole('button', { name: 'Reset' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Reset' }).click()
    await traffic.getByText('Nothing yet').waitFor()
    expect(await service.client.listTasks()).to.deep.equal([])
    expect(visit.errors).to.deep.equal([])
    await visit.close()
  })

  it('makes things go wrong with one switch, shows which request it hit, and says how the sender did', async () => {
    const visit = await opened()
    const [send, traffic, wrong] = [partOf(visit, 'Send an order'), partOf(visit, 'Traffic'), partOf(visit, 'Go wrong')]
    await wrong.getByLabel('429 with Retry-After').click()
    for (let n = 0; n < 2; n++) {
      await send.getByRole('button', { name: 'Send', exact: true }).click()
      await send.getByText(/^429: /).waitFor()
      await send.getByRole('button', { name: 'Send', exact: true, disabled: false }).waitFor()
    }
    // On a slow machine the second one may come late enough; which verdict follows is tested without a browser.
    await wrong.getByText(/[✖✔] The next create came after/).waitFor()
    await traffic.getByLabel('Show').selectOption('fault')
    await traffic.getByText('☠ refuse').first().waitFor()
    // The switch follows the answer of the service.
    const isDown = wrong.getByLabel('Host down')
    for (const state of [true, false]) {
      await isDown.click()
      await eventually(async () => expect(await isDown.isChecked()).to.equal(state))
    }
    await eventually(async () => {
      const { body } = await service.ask<unknown[]>('GET', '/sandbox/v1/faults')
      expect(body).to.deep.equal([])
    })
    expect(visit.errors).to.deep.equal([])
    await visit.close()
  })

  it('acts for the sender that is chosen, and for no other', async () => {
    await service.ask('POST', '/sandbox/v1/reset')
    const visit = await opened()
    await visit.page.getByLabel('Sender').selectOption({ label: 'Northfield Hospice' })
    await eventually(async () =>
      expect(await visit.page.getByLabel('Sender').locator('option:checked').textContent()).to.equal(
        'Northfield Hospice',
      ),
    )
    await partOf(visit, 'Send an order').getByRole('button', { name: 'Send', exact: true }).click()
    await partOf(visit, 'Send an order')
      .getByText(/^201: task/)
      .waitFor()
    expect(await service.other.listTasks()).to.have.length(1)
    expect(await service.client.listTasks()).to.have.length(0)
    expect(visit.errors).to.deep.equal([])
    await visit.close()
  })

  it('catches webhooks, verifies them, and answers as it is told to', async () => {
    await service.ask('POST', '/sandbox/v1/reset')
    const visit = await opened()
    const [send, traffic] = [partOf(visit, 'Send an order'), partOf(visit, 'Traffic')]
    await traffic.getByText('Catch webhooks here').click()
    await traffic.getByLabel('Name of a new catcher').fill('demo')
    await traffic.getByRole('button', { name: 'Catch and subscribe' }).click()
    await traffic.getByText(`${service.baseUrl}/sandbox/catch/demo`).waitFor()
    await send.getByRole('button', { name: 'Send', exact: true }).click()
    const line = traffic
      .getByRole('listitem')
      .filter({ has: visit.page.getByRole('img', { name: 'Received by a catcher' }) })
    await line.getByText('✔ signature').first().waitFor()
    await traffic.getByLabel('Answers').selectOption({ label: '500: the service tries again' })
    await eventually(async () => {
      const { body } = await service.ask<{ answer: string }[]>('GET', '/sandbox/v1/catchers')
      expect(body.map(({ answer }) => answer)).to.deep.equal(['error'])
    })
    await traffic.getByRole('button', { name: 'Remove' }).click()
    await eventually(async () => expect(await service.client.listSubscriptions()).to.deep.equal([]))
    expect(visit.errors).to.deep.equal([])
    await visit.close()
  })

  it('sends a request and a webhook again, and shows what came of each', async () => {
    await service.ask('POST', '/sandbox/v1/reset')
    const visit = await opened()
    const { page } = visit
    const [send, traffic] = [partOf(visit, 'Send an order'), partOf(visit, 'Traffic')]
    await traffic.getByText('Catch webhooks here').click()
    await traffic.getByLabel('Name of a new catcher').fill('again')
    await traffic.getByRole('button', { name: 'Catch and subscribe' }).click()
    await traffic.getByText(`${service.baseUrl}/sandbox/catch/again`).waitFor()
    await send.getByLabel('Signer').selectOption({ label: 'Ruth Calder DO' })
    await send.getByRole('button', { name: 'Send', exact: true }).click()
    const lines = (name: string) =>
      traffic.getByRole('listitem').filter({ has: page.getByRole('img', { name, exact: true }) })
    await lines('Received by a catcher').first().waitFor()

    const request = lines('Request').filter({ hasText: 'createTask' }).last()
    await request.locator('summary').click()
    await request.getByRole('button', { name: 'Send again', exact: true }).click()
    await request.getByText(/^Not sent: task \d+ has externalDocId ROOM-\S+ already\.$/).waitFor()
    await request.getByRole('button', { name: 'Send again without looking for it first' }).click()
    await request.getByText(/^Answered 201\. A second task was made: \d+ after \d+\.$/).waitFor()
    await lines('Request').getByText('↻ again').waitFor()
    expect(await service.client.listTasks()).to.have.length(2)
    await eventually(async () => expect(await lines('Webhook').count()).to.equal(2))

    const webhook = lines('Webhook').last()
    await webhook.locator('summary').click()
    await webhook.getByRole('button', { name: 'Send to the receiver again' }).click()
    await webhook.getByText(/^Answered 200\. The receiver got Pending of task \d+ again, with the same id\.$/).waitFor()
    await eventually(async () => expect(await lines('Received by a catcher').count()).to.equal(3))
    expect(await lines('Received by a catcher').getByText('✔ signature').count()).to.equal(3)
    expect(visit.errors).to.deep.equal([])
    await visit.close()
  })

  it('sends a PDF that is dropped, and says why one cannot be signed', async () => {
    await service.ask('POST', '/sandbox/v1/reset')
    const visit = await opened()
    const send = partOf(visit, 'Send an order')
    const give = (name: string, buffer: Buffer) =>
      send.locator('input[type=file]').setInputFiles({ name, mimeType: 'application/pdf', buffer })
    const press = () => send.getByRole('button', { name: 'Send', exact: true }).click()
    await send.getByLabel(/^Document/).selectOption({ label: 'A PDF of your own' })
    await press()
    await visit.page.getByText('Choose a PDF first.').waitFor()
    await give('letter.pdf', Buffer.from('This is a letter.'))
    await send.getByText('letter.pdf').waitFor()
    await press()
    await send.getByText(/^400: document\.attachment: /).waitFor()
    await give('order.pdf', Buffer.from(await aPdf({ content: 'BT /F1 12 Tf 72 400 Td (Sign here: Dr.) Tj ET' })))
    await send.getByText('order.pdf').waitFor()
    await send.getByLabel(/^Fields/).selectOption({ label: 'Next to a phrase' })
    await send.getByLabel('Phrase in the PDF').fill('Sign there')
    await press()
    await send.getByText(/^201: task \d+/).waitFor()
    const [refused] = await service.client.listTasks()
    // What is found out when the document is read is the reason of the task, behind the link.
    const { statusReason } = await service.reaches(refused!.taskId, 'Failed')
    expect(statusReason).to.include('referenceText was not found in the text of the PDF')
    await send.getByLabel('Phrase in the PDF').fill('Sign here')
    await press()
    await send.getByText(`201: task ${refused!.taskId + 1} `).waitFor()
    await service.reaches(refused!.taskId + 1, 'Pending')
    expect(visit.errors).to.deep.equal([])
    await send.getByRole('link', { name: String(refused!.taskId + 1) }).click()
    await visit.page.getByRole('heading', { name: `Task ${refused!.taskId + 1}` }).waitFor()
    await visit.close()
  })

  it('lists what is wrong with a seed, says what it removes, and starts over from it with the new keys shown once', async () => {
    const own = await aService()
    const visit = await visitor(browser)
    const { page } = visit
    await page.goto(`${own.baseUrl}/sandbox`)
    await page.getByRole('button', { name: 'Service operator' }).click()
    const dialog = page.getByRole('dialog')
    const give = (content: string) =>
      dialog
        .locator('input[type=file]')
        .setInputFiles({ name: 'seed.json', mimeType: 'application/json', buffer: Buffer.from(content) })
    await page.getByRole('button', { name: 'Use a seed…' }).click()
    await give('{')
    await dialog.getByText('seed.json is not JSON.').waitFor()
    await give(JSON.stringify({ organizations: [{ npi: '1' }], signers: 3 }))
    await dialog.getByText(/organizations\[0\]\.name/).waitFor()
    await dialog.getByText(/signers: /).waitFor()
    await goodLook(visit, 'room-seed-wrong')
    visit.errors.length = 0
    const seed = {
      documentTypes: [{ id: 104, name: 'Physician Order', category: 'Order' }],
      organizations: [
        { name: 'Willow Creek Home Health', sends: true },
        { name: 'River Home Health', sends: true },
      ],
      people: [{ email: 'operator@countersign.example', name: 'Service operator', role: 'operator' }],
    }
    await give(JSON.stringify(seed))
    await dialog.getByText('Start over from seed.json?').waitFor()
    const text = await dialog.textContent()
    expect(text).to.include('Northfield Hospice').and.to.include('Helen Marsh MD').and.not.to.include('Willow Creek')
    await goodLook(visit, 'room-seed-confirm')
    expect(await own.client.listTemplates(), 'nothing before it is confirmed').to.have.length.above(0)
    await dialog.getByRole('button', { name: 'Start over from it' }).click()
    await dialog.getByText('They are shown once.').waitFor()
    const key = (await dialog.locator('code').textContent())!
    await dialog.getByRole('button', { name: 'Close', exact: true }).click()
    expect(await own.clientOf(key).listTasks()).to.deep.equal([])
    const senders = page.getByLabel('Sender').locator('option')
    await eventually(async () =>
      expect(await senders.allTextContents()).to.deep.equal(['Willow Creek Home Health', 'River Home Health']),
    )
    expect(visit.errors).to.deep.equal([])
    await visit.close()
    await own.stop()
  })

  it('keeps the state of the sender, and brings it back', async () => {
    await service.ask('POST', '/sandbox/v1/reset')
    const visit = await opened()
    const { page } = visit
    const send = async () => {
      await partOf(visit, 'Send an order').getByRole('button', { name: 'Send', exact: true }).click()
      await partOf(visit, 'Send an order')
        .getByText(/^201: task/)
        .waitFor()
    }
    await send()
    await page.getByRole('button', { name: 'Keep state' }).click()
    await page.getByRole('button', { name: 'Bring back' }).waitFor()
    await service.create(aCreateBody())
    expect(await service.client.listTasks()).to.have.length(2)
    await page.getByRole('button', { name: 'Bring back' }).click()
    await page.getByRole('dialog').getByText('It has 1 task').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Bring back' }).click()
    await eventually(async () => expect(await service.client.listTasks()).to.have.length(1))
    expect(visit.errors).to.deep.equal([])
    await visit.close()
  })

  it('presents a scenario a step at a time, in large type', async () => {
    await service.ask('POST', '/sandbox/v1/reset')
    const visit = await opened()
    const { page } = visit
    const card = partOf(visit, 'Scenarios').getByRole('listitem').filter({ hasText: 'An order is signed' })
    await card.getByRole('link', { name: 'Present' }).click()
    await page.getByRole('heading', { level: 1, name: 'An order is signed' }).waitFor()
    for (const [step, came] of [
      [1, 'are gone.'],
      [2, '201: task'],
      [3, 'is signed.'],
    ] as const) {
      await page.getByText(`Step ${step} of 6`).waitFor()
      await page.getByRole('button', { name: 'Next' }).click()
      await page.getByRole('status').getByText(came).waitFor()
    }
    expect((await service.client.listTasks()).map(({ status }) => status)).to.deep.equal(['Completed'])
    await page.getByRole('button', { name: 'Begin again' }).click()
    await page.getByText('Step 1 of 6').waitFor()
    await page.getByRole('link', { name: 'Leave' }).click()
    await page.getByRole('heading', { level: 1, name: 'Control room' }).waitFor()
    expect(visit.errors).to.deep.equal([])
    await visit.close()
  })

  it('is not there in production', async () => {
    const masterKey = Buffer.alloc(32, 7).toString('base64')
    const production = await aService({ sandbox: false, masterKey })
    for (const path of ['/sandbox', '/sandbox/v1/openapi.json', '/sandbox/v1/requests', '/sandbox/v1/room'])
      expect((await production.ask('GET', path, { key: null })).status, path).to.equal(404)
    const visit = await visitor(browser)
    await visit.page.goto(production.baseUrl)
    await visit.page.waitForLoadState('networkidle')
    expect(await visit.page.getByRole('link', { name: 'Control room' }).count()).to.equal(0)
    await visit.close()
    await production.stop()
  })

  for (const look of looks)
    it(`looks good, ${look.width} wide, ${look.scheme}`, async () => {
      await service.ask('POST', '/sandbox/v1/lessons/host-down', { body: { isOn: true } })
      const visit = await opened(look)
      const { page } = visit
      const isNarrow = look.width < 1100
      const tab = async (name: string) => {
        if (isNarrow) await page.getByRole('navigation').getByRole('link', { name }).click()
      }
      await partOf(visit, 'Send an order').getByRole('button', { name: 'Send', exact: true }).click()
      await partOf(visit, 'Send an order')
        .getByText(/^503: /)
        .waitFor()
      await partOf(visit, 'Send an order').getByText('What each signer does').click()
      await goodLook(visit, 'room-send')
      await partOf(visit, 'Send an order')
        .getByLabel(/^Document/)
        .selectOption({ label: 'A PDF of your own' })
      await partOf(visit, 'Send an order').getByText('Drop a PDF here, or choose one').waitFor()
      await goodLook(visit, 'room-own-pdf')
      await tab('Traffic')
      await partOf(visit, 'Traffic').getByText('createTask').first().click()
      await partOf(visit, 'Traffic').getByText('Catch webhooks here').click()
      await goodLook(visit, 'room-traffic')
      await tab('Go wrong')
      if (isNarrow) await goodLook(visit, 'room-wrong')
      await tab('Scenarios')
      await partOf(visit, 'Scenarios').scrollIntoViewIfNeeded()
      await goodLook(visit, 'room-scenarios')
      await partOf(visit, 'Scenarios').getByRole('link', { name: 'Present' }).first().click()
      await page.getByText('Step 1 of 6').waitFor()
      await goodLook(visit, 'room-present')
      expect(await accessibilityFaults(page)).to.deep.equal([])
      await visit.close()
    })
})
