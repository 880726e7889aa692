/** Fields placed on a sample in the editor, with the mouse and with the keyboard: the created task has them in that place. */
import { expect } from 'chai'
import type { Browser, Frame, Locator } from 'playwright-core'
import type { Field } from '../../lib/pdf/placement/placement.ts'
import { aVisit } from '../support/browser/a-visit.ts'
import { accessibilityFaults } from '../support/browser/axe.ts'
import { openBrowser } from '../support/browser/browser.ts'
import { byKeyboard } from '../support/browser/by-keyboard.ts'
import { eventually } from '../support/eventually.ts'
import { freePort } from '../support/network/free-port.ts'
import { type Editor, openEditor } from '../support/node-red/editor.ts'
import { createTask, embedded, flow } from '../support/node-red/flow.ts'
import { type NodeRed, startNodeRed } from '../support/node-red/node-red.ts'
import { anOrder, orderPdf, SIGNER } from '../support/service/order.ts'

const num = (value: string) => ({ type: 'num', value })
const str = (value: string) => ({ type: 'str', value })

/** A field whose text and whose need come from the message. */
const NOTE = {
  type: str('TextArea'),
  required: { type: 'msg', value: 'needed' },
  value: { type: 'msg', value: 'note' },
  pageNumber: num('1'),
  left: num('72'),
  top: num('500'),
  right: num('272'),
  bottom: num('540'),
}
/** A field whose place comes from the message, so it stands nowhere yet. */
const FROM_MESSAGE = {
  ...NOTE,
  type: str('DateSigned'),
  required: { type: 'bool', value: 'true' },
  top: { type: 'msg', value: 'top' },
  bottom: num('714'),
}

describe('fields on a sample in the editor', function () {
  this.timeout(60_000)
  let browser: Browser
  let red: NodeRed
  let editor: Editor
  let port: number

  before(async () => {
    red = await startNodeRed({ adminRoot: '/admin' })
    port = await freePort()
    const placed = { placement: 'Json', annotationSource: 'rows', jsonAnnotations: [NOTE, FROM_MESSAGE] }
    await red.deploy(flow(embedded({ port: String(port) }), ...createTask(placed)))
    browser = await openBrowser()
    editor = await openEditor(browser, red)
  })
  after(async () => {
    await browser?.close()
    await red?.stop()
  })
  afterEach(() => expect(editor.errors).to.deep.equal([]))

  /** Opens the fields of the node on the sample of an order. */
  async function onSample(): Promise<Frame> {
    const { page } = editor
    await editor.open('create')
    await editor.showTab('Fields')
    await page.click('.countersign-place:visible')
    const frame = (await (await page.waitForSelector('.countersign-placing')).contentFrame())!
    await frame.waitForSelector('input[type=file]', { state: 'attached' })
    await frame.setInputFiles('input[type=file]', {
      name: 'order.pdf',
      mimeType: 'application/pdf',
      buffer: orderPdf(),
    })
    await frame.waitForSelector('.sheet[data-drawn]')
    return frame
  }

  async function drag(from: Locator, to: { x: number; y: number }) {
    const { mouse } = editor.page
    const box = (await from.boundingBox())!
    await mouse.move(box.x + box.width / 2, box.y + box.height / 2)
    await mouse.down()
    await mouse.move(to.x, to.y, { steps: 8 })
    await mouse.up()
  }

  /** Where the task of an order has its fields, as the service shows them to the signer. */
  async function placedAtService(): Promise<Field[]> {
    red.inject('create', anOrder(SIGNER.idle, { note: 'As discussed', needed: true, top: 700 }))
    const { taskId } = await red.next('create.0')
    const visit = aVisit(`http://127.0.0.1:${port}`)
    await visit.signInAs('Ruth Calder DO')
    return eventually(async () => {
      const { status, body } = await visit.ask<{ fields: Field[] }>('GET', `/inbox/api/documents/${taskId}`)
      expect(status).to.equal(200)
      return body.fields
    })
  }

  it('stand in the created task within a point of where they were dropped', async () => {
    const frame = await onSample()
    const sheet = (await frame.locator('.sheet').boundingBox())!
    const { width } = await frame.evaluate<{ width: number }>(
      `({ width: document.querySelector('.sheet').clientWidth })`,
    )
    const scale = width / 612
    const at = (left: number, top: number) => ({ x: sheet.x + left * scale, y: sheet.y + top * scale })
    await drag(frame.locator('.palette .VisibleSignature'), at(90, 130))
    const signature = frame.locator('.placed.selected')
    const size = (await signature.boundingBox())!
    expect(Math.abs(size.x - at(90, 130).x)).to.be.below(scale)
    // Taken in its middle, and let go with the middle there.
    await drag(signature, at(200, 230))
    await drag(signature.locator('.grip'), at(320, 270))
    await editor.shoot('placing-fields')
    expect(await accessibilityFaults(frame)).to.deep.equal([])
    await editor.page.click('#countersign-placing-ok')
    await editor.page.waitForSelector('.countersign-placing', { state: 'detached' })
    await editor.save()
    const started = red.started()
    await editor.deploy()
    await started

    const fields = await placedAtService()
    expect(fields.map(({ type }) => type)).to.have.members(['TextArea', 'DateSigned', 'VisibleSignature'])
    const { box, page } = fields.find(({ type }) => type === 'VisibleSignature')!
    expect(page).to.equal(1)
    const wanted = { left: 110, top: 212, right: 320, bottom: 270 }
    for (const [edge, place] of Object.entries(wanted))
      expect(box[edge as keyof typeof box], `${edge} of ${JSON.stringify(box)}`).to.be.closeTo(place, 1)
    const note = fields.find(({ type }) => type === 'TextArea')!
    expect(note).to.deep.include({ required: true, value: 'As discussed' })
  })

  it('are moved, resized and removed with the keyboard, and keep what comes from the message', async () => {
    const frame = await onSample()
    const keys = byKeyboard(editor.page)
    await frame.locator('.placed').first().locator('button').focus()
    await keys.times(2, 'Shift+ArrowRight')
    await keys.times(3, 'ArrowUp')
    await keys.times(4, 'Alt+ArrowDown')
    await frame.locator('.placed button').nth(1).focus()
    await keys.times(1, 'Delete')
    await editor.page.click('#countersign-placing-ok')
    await editor.page.waitForSelector('.countersign-placing', { state: 'detached' })
    await editor.save()
    const moved = { left: num('92'), top: num('497'), right: num('292'), bottom: num('541') }
    expect((await editor.stored('create')).jsonAnnotations).to.deep.equal([{ ...NOTE, ...moved }, FROM_MESSAGE])
  })

  it('stay as they were when placing is cancelled, and show in the colours of the editor, without accessibility faults', async () => {
    await editor.paint('dark')
    const before = await editor.stored('create')
    const frame = await onSample()
    await frame.locator('.palette .CheckBox').click()
    await editor.shoot('placing-fields', 'dark')
    expect(await accessibilityFaults(frame)).to.deep.equal([])
    expect(await frame.evaluate<string>(`getComputedStyle(document.body).colorScheme`)).to.equal('dark')
    await editor.page.click('#countersign-placing-cancel')
    await editor.page.waitForSelector('.countersign-placing', { state: 'detached' })
    await editor.save()
    expect(await editor.stored('create')).to.deep.equal(before)
  })
})
