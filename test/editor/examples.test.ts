/** An analyst in a real browser who tries the examples: imported by the menu, deployed by the button, started by their own buttons. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import type { Browser } from 'playwright-core'
import { openBrowser } from '../support/browser/browser.ts'
import { root } from '../support/built.ts'
import { freePort } from '../support/network/free-port.ts'
import { type Editor, openEditor } from '../support/node-red/editor.ts'
import { type NodeRed, startNodeRed } from '../support/node-red/node-red.ts'

const folder = join(root, 'examples')
const names = readdirSync(folder)
  .filter((name) => name.endsWith('.json'))
  .map((name) => name.replace('.json', ''))
const nodesOf = (example: string): { type: string; name?: string; label?: string }[] =>
  JSON.parse(readFileSync(join(folder, `${example}.json`), 'utf8'))
const tabOf = (example: string) => nodesOf(example).find(({ type }) => type === 'tab')!.label!

describe('an analyst who tries the examples', function () {
  this.timeout(60_000)
  let browser: Browser
  let red: NodeRed
  let editor: Editor

  before(async () => {
    red = await startNodeRed()
    browser = await openBrowser()
    editor = await openEditor(browser, red)
  })
  after(async () => {
    await browser?.close()
    await red?.stop()
  })
  afterEach(() => expect(editor.errors).to.deep.equal([]))

  async function importByMenu(example: string) {
    const { page } = editor
    await page.click('#red-ui-header-button-sidemenu')
    await page.click('#menu-item-import')
    const dialog = page.locator('#red-ui-clipboard-dialog')
    await dialog.locator('li:has-text("Examples")').first().click()
    const label = (text: string) => dialog.locator(`.red-ui-treeList-label:visible:has-text("${text}")`).first()
    // The package stays open for the next one.
    if (!(await label(example).isVisible())) await label('node-red-document-signature').click()
    await label(example).click()
    await page.click('#red-ui-clipboard-dialog-ok')
    // All examples bring the same service; the editor asks what to do with the second one.
    const imported = page.locator('#red-ui-workspace-tabs').getByText(tabOf(example), { exact: true })
    const copy = page.locator('button:has-text("Import copy")')
    await imported.or(copy).first().waitFor()
    if (await copy.isVisible()) await copy.click()
    await imported.waitFor()
  }

  /** The id that the import gave to a node. */
  const idOf = (example: string, type: string, name = '') =>
    editor.page.evaluate<string>(
      `RED.nodes.filterNodes({ type: ${JSON.stringify(type)} }).find((node) =>
         RED.nodes.workspace(node.z).label === ${JSON.stringify(tabOf(example))} && (node.name ?? '').includes(${JSON.stringify(name)})).id`,
    )
  /** Nodes are drawn on the open tab alone. */
  const openTab = (example: string) =>
    editor.page.locator('#red-ui-workspace-tabs').getByText(tabOf(example), { exact: true }).click()
  async function press(example: string, button: string) {
    await openTab(example)
    const id = await idOf(example, 'inject', button)
    await editor.page.locator(`[id="${id}"] .red-ui-flow-node-button-button`).click()
  }
  async function shows(example: string, type: string, text: string) {
    const id = await idOf(example, `countersign-${type}`)
    await editor.page
      .locator(`[id="${id}"] .red-ui-flow-node-status-label`)
      .getByText(text, { exact: true })
      .waitFor({ timeout: 30_000 })
  }

  it('imports all of them from the menu, and sees no mark of a fault', async () => {
    for (const example of names) await importByMenu(example)
    const faulty = await editor.page.evaluate<string[]>(
      `RED.nodes.filterNodes({}).filter(({ valid }) => !valid).map(({ type, name }) => type + ' ' + name)`,
    )
    expect(faulty).to.deep.equal([])
    // The port they bring may be taken on this machine.
    const port = await freePort()
    await editor.page.evaluate(
      `RED.nodes.eachConfig((node) => { if (node.type === 'countersign-service') node.port = '${port}' })`,
    )
    await editor.deploy()
    await openTab('Receive status events')
    await shows('Receive status events', 'webhook-in', 'listening')
    expect(red.log.join('')).to.not.match(/\[error\]|countersign/)
  })

  it('sends a document, and sees each node tell how far it is, to the signature and the record', async () => {
    const example = 'Send a document and wait for the signature'
    await press(example, '')
    await shows(example, 'create-task', 'created')
    await shows(example, 'wait', '1 waiting')
    await editor.shootBoth('example-waiting')
    await shows(example, 'wait', 'completed')
    await shows(example, 'download', 'downloaded')
    await shows(example, 'record', 'recorded')
    await editor.shootBoth('example-recorded')
  })

  it('sees the messages in the debug sidebar, and no failure', async () => {
    const example = 'Preview the fields of a document'
    await press(example, '')
    await editor.page.locator('.red-ui-debug-msg').filter({ hasText: 'array[' }).first().waitFor()
    expect(await editor.page.locator('.red-ui-debug-msg-level-50, .red-ui-debug-msg-level-20').count()).to.equal(0)
    await editor.shootBoth('example-preview')
  })

  it('reads at the node what is wrong when the service goes away in the middle', async () => {
    const example = 'Retract a task'
    await press(example, '1 ')
    await shows(example, 'create-task', 'created')
    await editor.page.evaluate(
      `RED.nodes.eachConfig((node) => {
         if (node.type !== 'countersign-service') return
         Object.assign(node, { mode: 'host', baseUrl: 'http://127.0.0.1:1', changed: true })
         node.credentials = { apiKey: 'a key of a test' }
         RED.nodes.dirty(true)
       })`,
    )
    await editor.deploy()
    await press(example, '2 ')
    await shows(example, 'retract', 'unreachable')
    await editor.shootBoth('example-unreachable')
  })
})
