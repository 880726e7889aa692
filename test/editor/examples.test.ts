/** An analyst in a real browser who tries the examples: imported by the menu, deployed by the button, started by their own buttons. */
import { expect } from 'chai'
import type { Browser } from 'playwright-core'
import { openBrowser } from '../support/browser/browser.ts'
import { freePort } from '../support/network/free-port.ts'
import { aNodeRed } from '../support/node-red/a-node-red.ts'
import { type Editor, openEditor } from '../support/node-red/editor.ts'
import { exampleFlow, exampleNames, idIn } from '../support/node-red/examples/examples.ts'
import type { NodeRed } from '../support/node-red/node-red.ts'

const tabOf = (example: string) => String(exampleFlow(example).find(({ type }) => type === 'tab')!.label)

const SEND = 'Send a document and wait for the signature'
const RETRACT = 'Retract an order and send its correction'

describe('an analyst who tries the examples', function () {
  this.timeout(60_000)
  let browser: Browser
  let red: NodeRed
  let editor: Editor

  before(async () => {
    red = await aNodeRed()
    browser = await openBrowser()
    editor = await openEditor(browser, red)
    // What the labels below the nodes showed, in turn.
    await editor.page.evaluate(`
      window.shown = []
      new MutationObserver(() => {
        for (const label of document.querySelectorAll('.red-ui-flow-node-status-label'))
          shown.push([label.closest('.red-ui-flow-node-group').id, label.textContent])
      }).observe(document.querySelector('#red-ui-workspace-chart'), { childList: true, characterData: true, subtree: true })
    `)
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
    await dialog.waitFor()
    // It opens with an empty text, and disables its button for that 100 ms later, even when an example is chosen by then.
    await page.evaluate('new Promise((done) => setTimeout(done, 100))')
    await dialog.locator('li:has-text("Examples")').first().click()
    const label = (text: string) => dialog.locator(`.red-ui-treeList-label:visible:has-text("${text}")`).first()
    // The package stays open for the next one.
    if (!(await label(example).isVisible())) await label('node-red-document-signature').click()
    await label(example).click()
    await page.click('#red-ui-clipboard-dialog-ok')
    await page.locator('#red-ui-workspace-tabs').getByText(tabOf(example), { exact: true }).waitFor()
    expect(await page.locator('button:has-text("Import copy")').count(), 'questions').to.equal(0)
  }

  const expectConflict = (example: string) =>
    editor.add(exampleFlow(example)).then(
      () => expect.fail('the ids of an example that is there were taken again'),
      (failure) => expect(String(failure)).to.match(/duplicate/),
    )
  /** Nodes are drawn on the open tab alone. */
  const openTab = (example: string) =>
    editor.page.locator('#red-ui-workspace-tabs').getByText(tabOf(example), { exact: true }).click()
  async function press(example: string, button: string) {
    await openTab(example)
    await editor.page.locator(`[id="${idIn(example, button)}"] .red-ui-flow-node-button-button`).click()
  }
  /** Now or before: a busy machine may look after the next status is there. */
  const shows = (example: string, type: string, text: string) =>
    editor.page.waitForFunction(
      `shown.some(([id, text]) => id === ${JSON.stringify(idIn(example, `countersign-${type}`))} && /^${text}(, task \\d+)?(, \\d\\d:\\d\\d)?$/.test(text))`,
    )

  it('imports all of them without a question, and sees no mark of a fault', async () => {
    const byMenu = [SEND, RETRACT]
    for (const example of byMenu) await importByMenu(example)
    // What the menu does when it has the file; it throws where the menu asks what to do with ids that are there already.
    for (const example of exampleNames) if (!byMenu.includes(example)) await editor.add(exampleFlow(example))
    await expectConflict(SEND)
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

  it('sends a document, and sees that it waits for the signature', async () => {
    await press(SEND, 'Send the order')
    await shows(SEND, 'create-task', 'created')
    await shows(SEND, 'wait', '1 waiting')
    await editor.shootBoth('example-waiting')
  })

  it('sees the messages in the debug sidebar, and no failure', async () => {
    const example = 'Preview the fields of a document'
    await press(example, 'An order')
    await editor.page.locator('.red-ui-debug-msg').filter({ hasText: 'array[' }).first().waitFor()
    expect(await editor.page.locator('.red-ui-debug-msg-level-50, .red-ui-debug-msg-level-20').count()).to.equal(0)
    await editor.shootBoth('example-preview')
  })

  it('sees each node tell how far it came, to the signature and the record', async () => {
    await openTab(SEND)
    await shows(SEND, 'wait', 'acknowledged')
    await shows(SEND, 'download', 'downloaded')
    await shows(SEND, 'record', 'recorded')
    await editor.shootBoth('example-recorded')
  })

  it('reads at the node what is wrong when the service goes away in the middle', async () => {
    await press(RETRACT, '1 Send the order')
    await shows(RETRACT, 'create-task', 'created')
    await editor.page.evaluate(
      `RED.nodes.eachConfig((node) => {
         if (node.type !== 'countersign-service') return
         Object.assign(node, { mode: 'host', baseUrl: 'http://127.0.0.1:1', changed: true })
         node.credentials = { apiKey: 'a key of a test' }
         RED.nodes.dirty(true)
       })`,
    )
    await editor.deploy()
    await press(RETRACT, '2 Retract and correct it')
    await shows(RETRACT, 'retract', 'unreachable')
    await editor.shootBoth('example-unreachable')
  })
})
