/** The forms of the nodes in a real browser: each is dragged in, opened and saved, and changes nothing by that. */
import { expect } from 'chai'
import type { Browser } from 'playwright-core'
import { openBrowser } from '../support/browser/browser.ts'
import { eventually } from '../support/eventually.ts'
import { freePort } from '../support/network/free-port.ts'
import { type Editor, openEditor } from '../support/node-red/editor.ts'
import { everyNode } from '../support/node-red/every-node.ts'
import {
  accept,
  embedded,
  fhirBase,
  held,
  mllpIn,
  mllpOut,
  orderFromFhir,
  orderFromFiles,
  orderFromHl7,
  resultToFhir,
  resultToHl7,
  TAB,
} from '../support/node-red/flow.ts'
import { type NodeRed, startNodeRed } from '../support/node-red/node-red.ts'

const TYPES = [
  'create-task',
  'wait',
  'download',
  'retract',
  'record',
  'done',
  'reconcile',
  'overdue',
  'read',
  'list',
  'look-up',
  'check-signed',
  'webhook-in',
  'signer',
  'preview',
]

/** Nodes that receive orders from other systems and send results to them. */
const BRIDGE = [
  'order-from-hl7',
  'result-to-hl7',
  'order-from-fhir',
  'result-to-fhir',
  'order-from-files',
  'mllp-in',
  'mllp-out',
  'accept',
  'held',
]

/** What carries a mark right after it was dragged in. */
const MARKED = ['create-task', 'wait', 'reconcile', 'look-up', 'check-signed']

const IDS = [
  'service',
  'create',
  'wait',
  'download',
  'retract',
  'record',
  'done',
  'reconcile',
  'overdue',
  'read',
  'list',
  'look-up',
  'check-signed',
  'webhook',
  'signer',
  'preview',
  'fhir',
  'order-from-fhir',
  'result-to-fhir',
  'order-from-hl7',
  'result-to-hl7',
  'held',
  'accept',
  'order-from-files',
  'in',
  'out',
]

/** Nodes that use no service. */
const local = (ports: { in: number; older: number; out: number }) => [
  fhirBase('https://ehr.example.org/fhir'),
  ...[
    ...orderFromFhir({}),
    ...resultToFhir(),
    ...orderFromHl7({}),
    ...resultToHl7(),
    ...held(),
    ...accept(),
    ...orderFromFiles('/srv/orders', {}, { poll: '5' }),
    ...mllpIn(ports.in, { senderCertificates: false, perAddress: '20', idle: '720' }),
    { ...mllpIn(ports.older)[0]!, id: 'older', wires: [[]] },
    ...mllpOut(ports.out),
  ].map((node) => ({
    ...node,
    z: TAB,
    x: 100,
    y: 100,
  })),
]

describe('the forms in the editor', function () {
  this.timeout(60_000)
  let browser: Browser
  let red: NodeRed
  let editor: Editor
  let run: Promise<void>

  before(async () => {
    red = await startNodeRed({ adminRoot: '/admin' })
    const ports = { in: await freePort(), older: await freePort(), out: await freePort() }
    await red.deploy([...everyNode(red, embedded(), ''), ...local(ports)])
    browser = await openBrowser()
    // Most of the time a form slides in, so the forms and the palette run at the same time.
    run = opensAll()
    run.catch(() => {})
    editor = await openEditor(browser, red)
  })
  after(async () => {
    await run?.catch(() => {})
    await browser?.close()
    await red?.stop()
  })

  async function opensAll() {
    const one = await openEditor(browser, red)
    for (const id of IDS) {
      const before = await one.stored(id)
      await one.open(id)
      await one.shootBoth(id)
      await one.save()
      expect(await one.stored(id), id).to.deep.equal(before)
      expect(await one.isValid(id), id).to.equal(true)
    }
    expect(one.errors).to.deep.equal([])
    await one.close()
  }

  it('takes every node from the palette, with defaults that are saved as they are', async () => {
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
      // A document type cannot be guessed, and outputs for what needs attention have to be wired.
      expect(await editor.faults(id), type).to.have.length(MARKED.includes(type) ? 1 : 0)
    }
    await editor.shootBoth('palette')
    expect(editor.errors).to.deep.equal([])
  })

  it('marks a node as long as an output for what needs attention is not wired, and names the output', async () => {
    const { page } = editor
    const withoutMark = async () => expect(await editor.isValid('wait')).to.equal(true)
    await withoutMark()
    const link = `RED.nodes.getNodeLinks('wait', 0).find(({ sourcePort }) => sourcePort === 1)`
    await page.evaluate(`window.taken = ${link}; RED.nodes.removeLink(window.taken)`)
    expect(String(await editor.faults('wait'))).to.contain('Not wired: output 2 (rejected).')
    await page.evaluate('RED.nodes.addLink(window.taken)')
    await withoutMark()
  })

  it('sets the preset of a map in the map itself', async () => {
    const id = 'order-from-hl7'
    const mapOf = async () => JSON.parse(String((await editor.stored(id)).map))
    const before = await mapOf()
    for (const preset of ['epic-like', '']) {
      await editor.open(id)
      await editor.page.selectOption('#countersign-preset', preset)
      await editor.save()
      expect(await mapOf()).to.deep.equal(preset === '' ? before : { preset, ...before })
    }
  })

  it('finds the nodes in the palette by what they are for', async () => {
    const { page } = editor
    /** Of the given nodes, and one that is not of the package. */
    const shown = async (types: readonly string[]) => {
      const found = await page.evaluate<string[]>(
        `$('.red-ui-palette-node[data-palette-type]').not('[data-filter]').toArray()
           .map((node) => node.dataset.paletteType.replace('countersign-', ''))`,
      )
      return found.filter((type) => [...types, 'inject'].includes(type))
    }
    const wanted: [words: string, among: string[], found: string[]][] = [
      ['signature', TYPES, TYPES],
      ['order', TYPES, TYPES],
      ['pdf', TYPES, ['create-task', 'download', 'preview']],
      ['e-signature', TYPES, ['create-task', 'wait', 'download', 'record', 'check-signed']],
      ['hl7', BRIDGE, ['order-from-hl7', 'result-to-hl7', 'mllp-in', 'mllp-out', 'held']],
      ['fhir', BRIDGE, ['order-from-fhir', 'result-to-fhir', 'held']],
      ['mllp', BRIDGE, ['order-from-hl7', 'result-to-hl7', 'mllp-in', 'mllp-out']],
      ['ehr', BRIDGE, BRIDGE.filter((type) => /hl7|fhir|mllp/.test(type))],
    ]
    for (const [words, among, found] of wanted) {
      await page.fill('#red-ui-palette-search input', '')
      await page.locator('#red-ui-palette-search input').pressSequentially(words)
      await eventually(async () => expect(await shown(among), words).to.have.members(found))
    }
  })

  it('open and change nothing by opening', () => run)

  it('show the defaults that a node runs with whose flow was written by hand', async () => {
    await editor.open('older')
    await editor.save()
    expect(await editor.stored('older')).to.include({ perAddress: '20', idle: '720' })
    expect(await editor.isValid('older')).to.equal(true)
  })

  it('are explained in the help sidebar', async () => {
    for (const type of ['service', 'fhir-base', ...TYPES, ...BRIDGE]) {
      const help = await editor.page.evaluate<string>(`RED.nodes.getNodeHelp('countersign-${type}')`)
      expect(help, type).to.contain('<h3>Details</h3>').and.to.contain('<h3>References</h3>')
    }
  })
})
