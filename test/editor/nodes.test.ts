/** The forms of the nodes in a real browser: each is dragged in, filled, saved and opened again, in both themes. */
import { expect } from 'chai'
import type { Browser } from 'playwright-core'
import { openBrowser } from '../support/browser.ts'
import { type Editor, openEditor, type Theme } from '../support/editor.ts'
import {
  createTask,
  download,
  embedded,
  flow,
  list,
  lookUp,
  read,
  record,
  retract,
  signer,
  wait,
  webhookIn,
} from '../support/flow.ts'
import { type NodeRed, startNodeRed } from '../support/node-red.ts'

const TYPES = [
  'create-task',
  'wait',
  'download',
  'retract',
  'record',
  'read',
  'list',
  'look-up',
  'webhook-in',
  'signer',
  'preview',
]

const IDS = [
  ...['service', 'create', 'wait', 'download', 'retract', 'record'],
  ...['read', 'list', 'look-up', 'webhook', 'signer'],
]

const THEMES: Theme[] = ['light', 'dark']

describe('the editor', function () {
  this.timeout(60_000)
  let browser: Browser
  let red: NodeRed
  let editor: Editor

  before(async () => {
    red = await startNodeRed({ adminRoot: '/admin' })
    await red.deploy(
      flow(
        ...[embedded(), ...createTask(), ...wait(), ...download(), ...retract(), ...record()],
        ...[...read(), ...list(), ...lookUp(), ...webhookIn(), ...signer()],
      ),
    )
    browser = await openBrowser()
  })
  after(async () => {
    await browser?.close()
    await red?.stop()
  })

  describe('opens every form and changes nothing by opening it', () => {
    const runs = new Map<Theme, Promise<void>>()

    // Most of the time a form slides in, so both themes go beside each other.
    before(() => {
      for (const theme of THEMES) runs.set(theme, opensAll(theme))
      for (const run of runs.values()) run.catch(() => {})
    })

    for (const theme of THEMES) it(theme, () => runs.get(theme))
  })

  async function opensAll(theme: Theme) {
    const one = await openEditor(browser, red, theme)
    for (const id of IDS) {
      const before = await one.stored(id)
      await one.open(id)
      await one.shoot(id)
      await one.save()
      expect(await one.stored(id), id).to.deep.equal(before)
      expect(await one.isValid(id), id).to.equal(true)
    }
    expect(one.errors).to.deep.equal([])
    await one.close()
  }

  describe('for a person', () => {
    before(async () => {
      editor = await openEditor(browser, red)
    })
    afterEach(() => expect(editor.errors).to.deep.equal([]))

    it('takes every node from the palette with defaults that are saved as they are', async () => {
      await editor.page.fill('#red-ui-palette-search input', 'countersign')
      let y = 150
      for (const type of TYPES) {
        const id = await editor.drag(`countersign-${type}`, 560, y)
        y += 65
        const before = await editor.stored(id)
        await editor.open(id)
        await editor.save()
        expect(await editor.stored(id), type).to.deep.equal(
          type === 'preview' ? before : { ...before, service: 'service' },
        )
        expect(await editor.isValid(id), type).to.equal(true)
      }
      await editor.shoot('palette')
    })

    it('keeps what is filled in', async () => {
      const { page } = editor
      await editor.open('create')
      await page.fill('#node-input-name', 'send the order')
      await page.evaluate(`$('#node-input-userNPI').typedInput('type', 'str').typedInput('value', '9999900019')`)
      await page.click('#node-input-identifiers-rows >> xpath=../../.. >> .red-ui-editableList-addButton')
      await page.evaluate(`$('.countersign-value').first().typedInput('type', 'str').typedInput('value', 'WC100001')`)
      await page.selectOption('#node-input-placement', 'Template')
      await editor.save()
      await editor.open('create')
      await editor.shoot('create-filled')
      await editor.save()
      expect(await editor.stored('create')).to.deep.include({
        ...{ name: 'send the order', userNPI: '9999900019', userNPIType: 'str', placement: 'Template' },
        identifiers: [{ authority: { type: 'str', value: 'mrn' }, value: { type: 'str', value: 'WC100001' } }],
      })

      await editor.open('webhook')
      await page.selectOption('#node-input-statuses', ['Completed', 'Rejected'])
      await page.fill('#node-input-path', 'signed/here')
      expect(await page.textContent('#countersign-address')).to.contain('/signed/here')
      await editor.save()
      expect(await editor.stored('webhook')).to.deep.include({
        path: 'signed/here',
        statuses: ['Completed', 'Rejected'],
      })

      await editor.open('wait')
      await page.check('#node-input-progress')
      await editor.save()
      expect(await editor.stored('wait')).to.deep.include({ progress: true })
      expect(await page.evaluate(`RED.nodes.node('wait').outputs`)).to.equal(5)
    })

    it('takes fields and addresses of the organization row by row', async () => {
      const { page } = editor
      const add = (list: string) =>
        page.click(`#node-input-${list}-rows >> xpath=../../.. >> .red-ui-editableList-addButton`)
      const cell = (list: string, name: string, type: string, value: string) =>
        page.evaluate(
          `$('#node-input-${list}-rows .countersign-${name}').last().typedInput('type', '${type}').typedInput('value', '${value}')`,
        )
      await editor.open('create')
      await page.selectOption('#node-input-placement', 'Json')
      await page.selectOption('#node-input-annotationSource', 'rows')
      await editor.save()
      expect(await editor.isValid('create'), 'no row yet').to.equal(false)

      await editor.open('create')
      await add('orgAddresses')
      await cell('orgAddresses', 'postalCode', 'str', '55802')
      await add('jsonAnnotations')
      await add('jsonAnnotations')
      await cell('jsonAnnotations', 'type', 'str', 'TextArea')
      await cell('jsonAnnotations', 'value', 'msg', 'note')
      await page.locator('#node-input-jsonAnnotations-rows').scrollIntoViewIfNeeded()
      await editor.shoot('create-rows')
      await editor.save()
      expect(await editor.isValid('create')).to.equal(true)
      const num = (value: string) => ({ type: 'num', value })
      const first = {
        ...{ type: { type: 'str', value: 'VisibleSignature' }, required: { type: 'bool', value: 'true' } },
        ...{ left: num('72'), top: num('600'), right: num('252'), bottom: num('636'), pageNumber: num('1') },
        value: { type: 'str', value: '' },
      }
      const stored = await editor.stored('create')
      expect(stored.jsonAnnotations).to.deep.equal([
        first,
        { ...first, type: { type: 'str', value: 'TextArea' }, value: { type: 'msg', value: 'note' } },
      ])
      expect(stored).to.deep.include({ annotationSource: 'rows', version: 2 })
      expect((stored.orgAddresses as object[])[0]).to.deep.include({ postalCode: { type: 'str', value: '55802' } })

      await editor.open('create')
      await page.selectOption('#node-input-placement', 'ReferenceText')
      await add('textAnnotations')
      await cell('textAnnotations', 'referenceText', 'str', 'Physician Signature:')
      await page.locator('#node-input-textAnnotations-rows').scrollIntoViewIfNeeded()
      await editor.shoot('create-text-rows')
      await page.evaluate(`document.documentElement.classList.add('nr-theme-dark')`)
      await editor.shoot('create-text-rows-in-the-dark')
      await page.evaluate(`document.documentElement.classList.remove('nr-theme-dark')`)
      await editor.save()
      expect((await editor.stored('create')).textAnnotations).to.deep.equal([
        {
          ...{ type: first.type, required: first.required, value: { type: 'str', value: '' } },
          referenceText: { type: 'str', value: 'Physician Signature:' },
          ...{ offsetX: num('0'), offsetY: num('0') },
        },
      ])
    })

    it('opens a create node of version 1 as it was meant', async () => {
      const [early] = createTask({ version: 1, placement: 'Json', annotationSource: undefined })
      await editor.add([{ ...early!, id: 'early', z: 'tab', x: 100, y: 600, wires: [[]] }])
      await editor.open('early')
      expect(await editor.page.inputValue('#node-input-annotationSource')).to.equal('value')
      await editor.save()
      expect(await editor.stored('early')).to.deep.include({ version: 2, annotationSource: 'value' })
    })

    it('offers the ids that the service knows, and takes others', async () => {
      const { page } = editor
      await editor.open('create')
      const row = page.locator('.form-row:has(#node-input-documentTypeId)')
      await row.scrollIntoViewIfNeeded()
      await row.locator('.red-ui-typedInput-input').fill('plan')
      await row.locator('.red-ui-typedInput-input').press('End')
      const offers = page
        .locator('.red-ui-autoComplete-container, .red-ui-popover, .red-ui-menu-dropdown')
        .locator('text=101')
      await offers.first().waitFor()
      await editor.shoot('create-offers')
      await offers.first().click()
      await editor.save()
      expect((await editor.stored('create')).documentTypeId).to.equal('101')
    })

    it('tests the deployed service', async () => {
      const { page } = editor
      await editor.open('service')
      await page.click('#countersign-test')
      await page.waitForFunction(`$('#countersign-test-result').text() === 'It answers, and it accepts the key.'`)
      await editor.shoot('service-tested')
      await editor.save()
    })

    it('marks what cannot be right, and lets environment variables pass', async () => {
      const { page } = editor
      await editor.open('service')
      await page.selectOption('#node-config-input-mode', 'host')
      await page.fill('#node-config-input-baseUrl', 'http://signature.example.org')
      await editor.shoot('service-host')
      await editor.save()
      expect(await editor.isValid('service')).to.equal(false)
      await editor.open('service')

      await page.fill('#node-config-input-baseUrl', '$' + '{SIGNATURE_URL}')
      await editor.save()
      expect(await editor.isValid('service')).to.equal(true)
      await editor.open('download')
      await page.selectOption('#node-input-deliver', 'file')
      await editor.save()
      expect(await editor.isValid('download')).to.equal(false)
    })

    it('explains every node in the help sidebar', async () => {
      for (const type of ['service', ...TYPES]) {
        const help = await editor.page.evaluate<string>(`RED.nodes.getNodeHelp('countersign-${type}')`)
        expect(help, type).to.contain('<h3>Details</h3>')
      }
    })
  })
})
