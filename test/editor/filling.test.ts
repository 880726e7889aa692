/** The forms in a real browser, filled by a person: what is entered is stored, and stands there when the form is opened again. */
import { expect } from 'chai'
import type { Browser } from 'playwright-core'
import { openBrowser } from '../support/browser/browser.ts'
import { eventually } from '../support/eventually.ts'
import { aNodeRed } from '../support/node-red/a-node-red.ts'
import { type Editor, openEditor } from '../support/node-red/editor.ts'
import { createTask, download, embedded, flow, preview, wait, webhookIn } from '../support/node-red/flow.ts'
import type { NodeRed } from '../support/node-red/node-red.ts'

const num = (value: string) => ({ type: 'num', value })
const str = (value: string) => ({ type: 'str', value })

/** A row as it is added. */
const ROW = {
  type: str('VisibleSignature'),
  required: { type: 'bool', value: 'true' },
  value: str(''),
  left: num('72'),
  top: num('600'),
  right: num('252'),
  bottom: num('636'),
  pageNumber: num('1'),
}
const TEXT_ROW = {
  type: ROW.type,
  required: ROW.required,
  value: ROW.value,
  referenceText: str('Physician Signature:'),
  offsetX: num('0'),
  offsetY: num('0'),
}

describe('a person in the editor', function () {
  this.timeout(60_000)
  let browser: Browser
  let red: NodeRed
  let editor: Editor

  before(async () => {
    red = await aNodeRed()
    const forms = [...createTask(), ...preview(), ...wait(), ...download(), ...webhookIn()]
    await red.deploy(flow(embedded(), ...forms))
    browser = await openBrowser()
    editor = await openEditor(browser, red)
  })
  after(async () => {
    await browser?.close()
    await red?.stop()
  })
  afterEach(() => expect(editor.errors).to.deep.equal([]))

  it('keeps what is filled in', async () => {
    const { page } = editor
    await editor.open('create')
    await page.fill('#node-input-name', 'send the order')
    await editor.showTab('Signer')
    await editor.fillTyped('userNPI', 'str', '9999900019')
    await editor.showTab('Patient')
    await editor.addRow('identifiers')
    await editor.fillCell('identifiers', 'value', 'str', 'WC100001')
    await editor.addRow('telecoms')
    await editor.fillCell('telecoms', 'value', 'msg', 'patient.phone')
    await editor.scrollTo('#node-input-telecoms-rows')
    await editor.shootBoth('create-patient-rows')
    await editor.showTab('Fields')
    await page.selectOption('#node-input-placement', 'Template')
    await editor.fillTyped('templateId', 'str', '204')
    await editor.save()
    await editor.open('create')
    for (const tab of ['Document', 'Patient', 'Signer', 'Fields']) {
      await editor.showTab(tab)
      await editor.shootBoth(`create-${tab.toLowerCase()}`)
    }
    await editor.save()
    expect(await editor.stored('create')).to.deep.include({
      name: 'send the order',
      userNPI: '9999900019',
      userNPIType: 'str',
      placement: 'Template',
      templateId: '204',
      identifiers: [{ authority: str('mrn'), value: str('WC100001') }],
      telecoms: [{ system: str('phone'), value: { type: 'msg', value: 'patient.phone' }, use: str('home') }],
    })

    await editor.open('wait')
    await page.check('#node-input-progress')
    await editor.save()
    expect(await editor.stored('wait')).to.deep.include({ progress: true })
    expect(await page.evaluate(`RED.nodes.node('wait').outputs`)).to.equal(5)
  })

  it('offers what the service lists on a click, filters while one types, and marks what it does not list', async () => {
    const { page } = editor
    await editor.open('create')
    const input = page.locator('#node-input-documentTypeId + .red-ui-typedInput-container .red-ui-typedInput-input')
    const offers = page.locator('.red-ui-autoComplete-container .countersign-offer')
    await input.click()
    await offers.nth(2).waitFor()
    const all = await offers.allTextContents()
    await editor.shootBoth('create-offers')
    await input.fill('')
    await input.pressSequentially('plan')
    await eventually(async () => expect(await offers.count()).to.be.below(all.length))
    expect(await offers.allTextContents()).to.deep.equal(all.filter((offer) => /plan/i.test(offer)))
    await offers.first().click()
    const [chosen] = all.filter((offer) => /plan/i.test(offer))
    expect(chosen).to.match(new RegExp(`^${await input.inputValue()} – `))
    await editor.fillTyped('documentTypeId', 'str', '999')
    await page.waitForSelector('.countersign-tab-wrong')
    await editor.shootBoth('create-not-listed')
    await editor.save()
    expect(await editor.faults('create')).to.include('The service lists no such ID')
    await editor.open('create')
    await editor.fillTyped('documentTypeId', 'str', '104')
    await page.waitForSelector('.countersign-tab-wrong', { state: 'detached' })
    await editor.save()
    expect(await editor.faults('create')).to.not.include('The service lists no such ID')
  })

  it('takes the body from the message instead', async () => {
    await editor.open('create')
    await editor.page.selectOption('#node-input-source', 'body')
    await editor.shootBoth('create-body')
    await editor.page.selectOption('#node-input-source', 'fields')
    await editor.save()
  })

  it('chooses statuses, and copies the address for the service', async () => {
    const { page } = editor
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await editor.open('webhook')
    for (const status of ['Completed', 'Rejected']) await page.check(`#countersign-statuses input[value=${status}]`)
    await page.fill('#node-input-path', 'signed/here')
    expect(await page.textContent('#countersign-address')).to.contain('/signed/here')
    await page.click('#countersign-copy')
    expect(await page.evaluate('navigator.clipboard.readText()')).to.equal(red.nodeUrl('signed/here'))
    await page.fill('#node-input-publicUrl', 'https://flows.example.org/signed/here')
    await page.click('#countersign-copy')
    expect(await page.evaluate('navigator.clipboard.readText()')).to.equal('https://flows.example.org/signed/here')
    await page.uncheck('#node-input-subscribe')
    await editor.shootBoth('webhook-by-hand')
    await page.check('#node-input-subscribe')
    await editor.save()
    expect(await editor.stored('webhook')).to.deep.include({
      path: 'signed/here',
      statuses: ['Completed', 'Rejected'],
    })
  })

  it('takes the addresses of the organization row by row', async () => {
    await editor.open('create')
    await editor.showTab('Signer')
    await editor.addRow('orgAddresses')
    await editor.fillCell('orgAddresses', 'postalCode', 'str', '55802')
    await editor.scrollTo('#node-input-orgAddresses-rows')
    await editor.shootBoth('create-organization-rows')
    await editor.save()
    const [row] = (await editor.stored('create')).orgAddresses as object[]
    expect(row).to.deep.include({ postalCode: str('55802') })
  })

  for (const id of ['create', 'preview'])
    it(`takes fields row by row in the form of ${id}`, async () => {
      const { page } = editor
      const openFields = async () => {
        await editor.open(id)
        if (id === 'create') await editor.showTab('Fields')
      }
      await openFields()
      await page.selectOption('#node-input-placement', 'Json')
      await page.selectOption('#node-input-annotationSource', 'rows')
      await editor.save()
      expect(await editor.faults(id)).to.include('Add at least one field, or take the list from the message')

      await openFields()
      for (const _ of [1, 2]) await editor.addRow('jsonAnnotations')
      await editor.fillCell('jsonAnnotations', 'type', 'str', 'TextArea')
      await editor.fillCell('jsonAnnotations', 'value', 'msg', 'note')
      await editor.scrollTo('#node-input-jsonAnnotations-rows')
      await editor.shootBoth(`${id}-rows`)
      await editor.save()
      const stored = await editor.stored(id)
      const second = { ...ROW, type: str('TextArea'), value: { type: 'msg', value: 'note' } }
      expect(stored.jsonAnnotations).to.deep.equal([ROW, second])
      expect(stored).to.deep.include({ annotationSource: 'rows', version: 1 })
      expect(await editor.faults(id)).to.not.include('Add at least one field, or take the list from the message')

      await openFields()
      await page.selectOption('#node-input-placement', 'ReferenceText')
      await editor.addRow('textAnnotations')
      await editor.fillCell('textAnnotations', 'referenceText', 'str', 'Physician Signature:')
      await editor.scrollTo('#node-input-textAnnotations-rows')
      await editor.shootBoth(`${id}-text-rows`)
      await editor.save()
      await openFields()
      await editor.shootBoth(`${id}-again`)
      await editor.save()
      expect((await editor.stored(id)).textAnnotations).to.deep.equal([TEXT_ROW])
    })

  it('opens forms of a flow that was written by hand as they were meant', async () => {
    const early = { version: undefined, placement: 'Json', annotationSource: undefined }
    const [create] = createTask(early)
    const [shown] = preview(early)
    const place = { z: 'tab', x: 100, y: 600, wires: [[]] }
    await editor.add([
      { ...create!, ...place, id: 'early-create' },
      { ...shown!, ...place, id: 'early-preview' },
    ])
    for (const id of ['early-create', 'early-preview']) {
      await editor.open(id)
      expect(await editor.page.inputValue('#node-input-annotationSource'), id).to.equal('value')
      await editor.save()
      expect(await editor.stored(id), id).to.deep.include({ version: 1, annotationSource: 'value' })
    }
  })

  it('works in a narrow tray', async () => {
    editor = await openEditor(browser, red, 'light', { width: 1000, height: 800 })
    for (const id of ['preview', 'create']) {
      await editor.open(id)
      if (id === 'create') await editor.showTab('Fields')
      await editor.page.selectOption('#node-input-placement', 'Json')
      await editor.page.selectOption('#node-input-annotationSource', 'rows')
      await editor.addRow('jsonAnnotations')
      await editor.scrollTo('#node-input-jsonAnnotations-rows')
      await editor.shootBoth(`${id}-narrow`)
      await editor.save()
    }
  })
})
