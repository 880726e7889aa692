/** An operator at work in a real browser: a template by dragging, a review, a cancellation, a delivery sent again. */
import { expect } from 'chai'
import type { Browser } from 'playwright-core'
import { demoOrder } from '../../scripts/demo-order.ts'
import type { Opened as OpenedDocument, Waiting } from '../../server/operations/signer/messages.ts'
import { aVisit } from '../support/browser/a-visit.ts'
import { accessibilityFaults } from '../support/browser/axe.ts'
import { type Opened, openBrowser, visitor } from '../support/browser/browser.ts'
import { eventually } from '../support/eventually.ts'
import { TestReceiver } from '../support/network/test-receiver.ts'
import { aCreateBody, daysFromToday, TEMPLATE } from '../support/service/a-create-body.ts'
import { aService, type TestService } from '../support/service/a-service.ts'

const isCertification = ({ templateId }: { templateId: number }) => templateId === TEMPLATE.certification

describe('the console in the browser', function () {
  // A browser is slow at times, when other work runs beside it.
  this.timeout(60_000)
  let browser: Browser
  let service: TestService
  let receiver: TestReceiver
  let open: Opened
  before(async () => {
    ;[browser, service, receiver] = await Promise.all([openBrowser(), aService(), TestReceiver.start()])
    const { secret } = await service.client.createSubscription({ body: { url: receiver.url } })
    receiver.secrets.push(secret)
  })
  after(async () => {
    await browser?.close()
    await service?.stop()
    await receiver?.stop()
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

  it('follows a link that is used before the page is painted', async () => {
    open = await visitor(browser)
    await open.page.addInitScript(`
      new MutationObserver((_, observer) => {
        if (!document.querySelector('nav[aria-label="Console"]')) return
        observer.disconnect()
        location.hash = '/templates'
      }).observe(document, { childList: true, subtree: true })
    `)
    await open.page.goto(`${service.baseUrl}/console#/tasks`)
    await open.page.getByRole('button', { name: 'Service operator' }).click()
    await open.page.getByRole('heading', { level: 1, name: 'Templates' }).waitFor()
  })

  it('shows the rules of a template as they are, so that saving it changes nothing', async () => {
    const page = await visit('Service operator')
    await page.goto(`${service.baseUrl}/console#/templates/${TEMPLATE.certification}`)
    const { diagnosisCodeRequired } = (await service.client.listTemplates()).find(isCertification)!
    expect(diagnosisCodeRequired).to.equal(true)
    expect(await page.getByLabel('Diagnosis code').inputValue()).to.equal('required')
  })

  it('makes a template by dragging, and a task made with it has its fields there', async () => {
    const page = await visit('Willow Creek administrator')
    await page.getByRole('link', { name: 'Templates' }).click()
    await page.getByRole('link', { name: 'New template' }).click()
    const sample = Buffer.from(await demoOrder(daysFromToday(0)))
    await page.locator('input[type=file]').setInputFiles({ name: 's.pdf', mimeType: 'application/pdf', buffer: sample })
    await page.locator('.sheet[data-drawn]').waitFor()

    const drag = async (x: number, y: number, toX: number, toY: number) => {
      await page.mouse.move(x, y)
      await page.mouse.down()
      await page.mouse.move((x + toX) / 2, (y + toY) / 2, { steps: 4 })
      await page.mouse.move(toX, toY, { steps: 4 })
      await page.mouse.up()
    }
    await page.evaluate('window.scrollTo(0, 400)')
    const sheet = (await page.locator('.sheet').boundingBox())!
    const scale = sheet.width / 612
    const onScreen = (left: number, top: number) => [sheet.x + left * scale, sheet.y + top * scale] as const
    const places = {
      VisibleSignature: [80, 440],
      TextArea: [90, 520],
      CheckBox: [300, 450],
      DateSigned: [380, 480],
    } as const
    for (const [type, [left, top]] of Object.entries(places)) {
      const item = (await page.locator(`.palette button.${type}`).boundingBox())!
      await drag(item.x + 10, item.y + 10, ...onScreen(left, top))
    }
    expect(await page.locator('.placed').count()).to.equal(4)

    // The date is moved by its body, and the text made larger by its grip.
    await drag(...onScreen(400, 486), ...onScreen(410, 516))
    await page.getByRole('button', { name: /^Text, page 1/ }).click()
    const grip = (await page.locator('.placed.selected .grip').boundingBox())!
    await drag(grip.x + 7, grip.y + 7, grip.x + 7 + 50 * scale, grip.y + 7 + 20 * scale)
    // The checkbox goes ten points to the right and one down, by keyboard.
    await page.getByRole('button', { name: /^Checkbox, page 1/ }).focus()
    await page.keyboard.press('Shift+ArrowRight')
    await page.keyboard.press('ArrowDown')
    await page.getByRole('checkbox', { name: 'Required' }).check()
    await open.shoot('template-editor')
    expect(await accessibilityFaults(page)).to.deep.equal([])

    await page.getByLabel('Name').fill('Wound order')
    await page.getByLabel('Label for the clinical date').fill('Order date')
    await page.getByRole('button', { name: 'Save template' }).click()
    await page.getByRole('rowheader').last().waitFor()
    const row = page.getByRole('row', { name: /Wound order/ })
    const templateId = Number(await row.getByRole('rowheader').textContent())

    const attachment = sample.toString('base64')
    const taskId = await service.create(
      aCreateBody({ document: { attachment, annotations: { type: 'Template', templateId } } }),
    )
    await service.reaches(taskId, 'Pending')
    const signer = aVisit(service.baseUrl)
    await signer.signInAs('Ruth Calder DO')
    const { fields } = (await signer.ask<OpenedDocument>('GET', `/inbox/api/documents/${taskId}`)).body
    const boxOf = (type: string) => fields.find((field) => field.type === type)!.box
    const close = (type: string, left: number, top: number, width: number, height: number) => {
      const box = boxOf(type)
      const found = [box.left, box.top, box.right - box.left, box.bottom - box.top]
      for (const [i, value] of [left, top, width, height].entries())
        expect(found[i], `${type} ${i}`).to.be.closeTo(value, 1)
    }
    close('VisibleSignature', 80, 440, 180, 36)
    close('TextArea', 90, 520, 250, 60)
    close('CheckBox', 310, 451, 12, 12)
    close('DateSigned', 390, 510, 90, 14)
    expect(fields.find(({ type }) => type === 'CheckBox')?.required).to.equal(true)
    await service.rejects(taskId)
  })

  it('resolves a manual review, the two patients side by side', async () => {
    await service.reaches(await service.create(aCreateBody()), 'Pending')
    const page = await visit('Service operator')
    const twin = { externalId: 'WILLOW|TWIN', identifiers: null, telecoms: null }
    const taskId = await service.create(aCreateBody({ patient: twin }))
    // The page hears of the task without being reloaded.
    await page.getByRole('link', { name: 'Review 1' }).click()
    await page.getByRole('link', { name: String(taskId) }).click()
    await page.getByRole('heading', { name: 'Who is the patient?' }).waitFor()
    expect(await page.locator('.differs dt').allTextContents()).to.deep.equal([
      'Sender’s id',
      'Identifiers',
      'Phone, e-mail',
    ])
    await open.shoot('review')
    expect(await accessibilityFaults(page)).to.deep.equal([])
    await page.getByRole('button', { name: /^Same person as patient/ }).click()
    const question = page.getByRole('dialog', { name: /^Same person as patient/ })
    await question.getByText(/^Task \d+ joins [1-9]\d* orders? of patient/).waitFor()
    await open.shoot('review-merge')
    expect(await accessibilityFaults(page)).to.deep.equal([])
    expect((await service.client.readTask({ params: { id: taskId } })).status).to.equal('Processing')
    const match = question.getByRole('button', { name: 'Match the patient' })
    await match.click()
    await page.locator('.console-head .badge.Pending').waitFor()
    await page.getByText('A person decided who the patient is').waitFor()
    await open.shoot('review-undo')
    expect(await accessibilityFaults(page)).to.deep.equal([])
    const undo = page.getByRole('button', { name: 'Undo the decision' })
    await undo.click()
    await page.getByRole('dialog').getByRole('button', { name: 'Undo the decision' }).click()
    await page.getByRole('heading', { name: 'Who is the patient?' }).waitFor()
    await page.getByText('Decision about the patient undone by Service operator').waitFor()
    expect((await service.client.readTask({ params: { id: taskId } })).status).to.equal('Processing')
    await page.getByRole('button', { name: /^Same person as patient/ }).click()
    await match.click()
    await undo.waitFor()
    await service.reaches(taskId, 'Pending')
    const signer = aVisit(service.baseUrl)
    await signer.signInAs('Ruth Calder DO')
    const waiting = (await signer.ask<Waiting[]>('GET', '/inbox/api/documents')).body
    expect(waiting.map((document) => document.taskId)).to.include(taskId)
  })

  it('shows the timeline, sends a delivery again, and cancels', async () => {
    const taskId = await service.create(aCreateBody())
    await service.reaches(taskId, 'Pending')
    await receiver.until(({ event }) => event?.taskId === taskId)
    const page = await visit('Service operator')
    await page.getByRole('link', { name: String(taskId) }).click()
    await page.getByText('Attempts').click()
    await page.getByText(/Attempt 1: delivered, answer 204/).waitFor()
    const count = () => receiver.received.filter(({ event }) => event?.taskId === taskId).length
    const before = count()
    await page.getByRole('button', { name: /^Send again/ }).click()
    await page.getByText(/^Sent: delivered/).waitFor()
    await page.getByText(/after 2 attempts/).waitFor()
    expect(count()).to.equal(before + 1)
    await open.shoot('timeline')
    expect(await accessibilityFaults(page)).to.deep.equal([])

    await page.getByRole('button', { name: 'Cancel task' }).click()
    await page.getByRole('button', { name: 'Sent in error' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel task' }).click()
    await page.locator('.console-head .badge.Cancelled').waitFor()
    expect((await service.reaches(taskId, 'Cancelled')).statusReason).to.equal('Sent in error')
  })

  it('says what a deactivated subscription cancelled, and sends it again once the subscription is active', async () => {
    const failing = await TestReceiver.start()
    failing.status = 500
    try {
      const { id } = await service.client.createSubscription({ body: { url: failing.url } })
      await service.create(aCreateBody())
      await failing.until(() => true)
      const setActive = (active: boolean) => service.client.updateSubscription({ params: { id }, body: { active } })
      await setActive(false)

      const page = await visit('Willow Creek administrator')
      await page.goto(`${service.baseUrl}/console#/deliveries`)
      await page.getByLabel('Subscription', { exact: true }).fill(String(id))
      await page.getByText('its subscription is off; resend once it is on again').waitFor()
      const again = page.getByRole('button', { name: /^Send again: delivery/ })
      const rows = (count: number) =>
        eventually(async () => expect(await page.locator('tbody tr').count()).to.equal(count))
      await rows(1)
      expect(await again.count()).to.equal(0)
      expect(await accessibilityFaults(page)).to.deep.equal([])
      await open.shoot('deliveries-cancelled')

      failing.status = 204
      await setActive(true)
      await page.reload()
      await page.getByLabel('Subscription', { exact: true }).fill(String(id))
      await page.getByText('its subscription was inactive for a time').waitFor()
      await rows(1)
      expect(await again.count()).to.equal(1)
      expect(failing.received, 'nothing by itself').to.have.length(1)
      await page.getByLabel('All that are').selectOption({ label: 'Cancelled' })
      await page.getByRole('button', { name: 'Resend all' }).click()
      await page.getByRole('button', { name: 'Resend 1' }).click()
      await page.getByText('1 callback is going out now.').waitFor()
      await page.locator('.badge.delivered').waitFor()
      expect(failing.received).to.have.length(2)
    } finally {
      await failing.stop()
    }
  })

  it('begins with the first page of deliveries when another filter is chosen', async () => {
    const receiver = await TestReceiver.start()
    const ids: number[] = []
    try {
      for (let n = 0; n < 45; n++)
        ids.push((await service.client.createSubscription({ body: { url: receiver.url } })).id)
      for (let n = 0; n < 3; n++) await service.reaches(await service.create(aCreateBody()), 'Pending')
      const page = await visit('Willow Creek administrator')
      const asked = (limit: number) =>
        page.waitForRequest((request) => new URL(request.url()).search.includes(`limit=${limit}`))
      await page.goto(`${service.baseUrl}/console#/deliveries`)
      for (const choose of [
        () => page.getByLabel('State').selectOption({ label: 'delivered' }),
        () => page.getByLabel('Subscription', { exact: true }).fill(String(ids[0])),
      ]) {
        const longer = asked(200)
        await page.getByRole('button', { name: 'Show more' }).click()
        await longer
        const anew = asked(100)
        await choose()
        await anew
      }
    } finally {
      for (const id of ids) await service.client.deleteSubscription({ params: { id } })
      await receiver.stop()
    }
  })

  it('goes on behind the longest list that there is, and comes back to the newest', async () => {
    const receiver = await TestReceiver.start()
    const ids: number[] = []
    try {
      for (let n = 0; n < 45; n++)
        ids.push((await service.client.createSubscription({ body: { url: receiver.url } })).id)
      for (let n = 0; n < 12; n++) await service.reaches(await service.create(aCreateBody()), 'Pending')
      const page = await visit('Service operator')
      await page.goto(`${service.baseUrl}/console#/deliveries`)
      const rows = page.locator('table tbody tr')
      const shown = async () => (await rows.locator('td:first-child, th:first-child').allTextContents()).map(Number)
      for (const length of [200, 300, 400, 500]) {
        await page.getByRole('button', { name: 'Show more' }).click()
        await eventually(async () => expect(await rows.count()).to.equal(length))
      }
      const last = (await shown()).at(-1)!
      await page.getByRole('button', { name: 'Show older' }).click()
      await eventually(async () => expect((await shown())[0]).to.equal(last - 1))
      await page.getByRole('button', { name: 'Back to the newest' }).click()
      await eventually(async () => expect((await shown())[0]).to.be.above(last))
    } finally {
      for (const id of ids) await service.client.deleteSubscription({ params: { id } })
      await receiver.stop()
    }
  })

  it('creates a key, which is shown once, and asks before it revokes the key', async () => {
    const page = await visit('Willow Creek administrator')
    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByRole('link', { name: 'Willow Creek Home Health' }).click()
    await page.getByRole('link', { name: 'Manage keys' }).click()
    await page.getByLabel('Owner').fill('Ann Vale')
    await page.getByLabel('Description').fill('Test bench')
    await page.getByRole('button', { name: 'Create key' }).click()
    const key = (await page.locator('.new-key').textContent())!
    expect(await service.clientOf(key).listTemplates()).not.to.have.length(0)
    await page.getByRole('button', { name: 'I have saved it' }).click()
    await page.getByText('Test bench').waitFor()
    expect(await page.content()).not.to.include(key)
    await page.reload()
    const revoke = page.getByRole('button', { name: `Revoke Test bench, ${key.slice(-4)}` })
    await revoke.click()
    expect(await page.content()).not.to.include(key)
    await page.getByRole('dialog').getByRole('button', { name: 'Back' }).click()
    expect(await service.clientOf(key).listTemplates(), 'asked first').not.to.have.length(0)
    await revoke.click()
    await page.getByText(/It made [12] requests? in the last 14 days/).waitFor()
    await page.getByRole('button', { name: 'Revoke key' }).click()
    await revoke.waitFor({ state: 'detached' })
    await page.getByLabel(/^Keys/).selectOption('Ended')
    await page.getByText('revoked', { exact: true }).waitFor()
    expect((await service.ask('GET', '/api/v1/documenttypes', { key })).status).to.equal(403)
    expect(await accessibilityFaults(page)).to.deep.equal([])
    await open.shoot('keys')
  })

  it('replaces a key by a new one, and both are valid until the chosen time', async () => {
    const page = await visit('Willow Creek administrator')
    await page.goto(`${service.baseUrl}/console#/keys`)
    await page.getByLabel('Owner').fill('Ann Vale')
    await page.getByLabel('Description').fill('Nightly job')
    await page.getByRole('button', { name: 'Create key' }).click()
    const old = (await page.locator('.new-key').textContent())!
    await page.getByRole('button', { name: 'I have saved it' }).click()
    await page.getByRole('button', { name: `Rotate Nightly job, ${old.slice(-4)}` }).click()
    expect(await accessibilityFaults(page)).to.deep.equal([])
    await open.shoot('rotate-key')
    await page.getByLabel('Old key valid until').fill('2999-12-31T12:00')
    await page.getByRole('button', { name: 'Create new key' }).click()
    const key = (await page.locator('.new-key').textContent())!
    expect(key).not.to.equal(old)
    for (const valid of [old, key]) expect(await service.clientOf(valid).listTemplates()).not.to.have.length(0)
    await page.getByRole('button', { name: 'I have saved it' }).click()
    await page
      .getByRole('row', { name: /Nightly job/ })
      .getByText(/^Until .*2999/)
      .waitFor()
  })
})
