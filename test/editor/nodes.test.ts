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
  for (const theme of ['light', 'dark'] as Theme[]) {
    it(`opens every form and changes nothing by opening it, ${theme}`, async () => {
      editor = await openEditor(browser, red, theme)
      for (const id of IDS) {
        const before = await editor.stored(id)
        await editor.open(id)
        await editor.shoot(id)
        await editor.save()
        expect(await editor.stored(id), id).to.deep.equal(before)
        expect(await editor.isValid(id), id).to.equal(true)
      }
      expect(editor.errors).to.deep.equal([])
      await editor.close()
    })
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
