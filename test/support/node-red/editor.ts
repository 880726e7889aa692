/** Node-RED's editor in a real Chromium: opens, fills and saves the forms of nodes, as a person would. */
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { screenshot } from '../browser/screenshot.ts'
import { root } from '../built.ts'
import { overhear } from '../overheard.ts'
import { patience } from '../patience.ts'
import type { FlowNode, NodeRed } from './node-red.ts'

const screenshots = join(root, 'test/editor/screenshots')

const json = JSON.stringify

/** An ordinary window. */
const DESK = { width: 1280, height: 1000 }

export type Theme = 'light' | 'dark'

/** The editor of a running Node-RED, in the language of the browser. What its page reports as an error is in `errors`. */
export async function openEditor(
  browser: Browser,
  red: NodeRed,
  theme: Theme = 'light',
  size = DESK,
  language = 'en-US',
) {
  const page = await browser.newPage({ viewport: size, locale: language })
  page.setDefaultTimeout(patience(30_000))
  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(error.message))
  page.on('pageerror', (error) => overhear(`${error.message} ${error.stack}`))
  page.on('console', (message) => overhear(message.text()))
  // The editor itself asks the internet for its palette catalogue.
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().includes('net::ERR_')) errors.push(message.text())
  })
  await showNoTips(red)
  await page.goto(red.adminUrl(''))
  await page.waitForSelector('.red-ui-palette-node[data-palette-type="countersign-create-task"]', { state: 'attached' })
  await page.waitForSelector('#red-ui-loading-progress', { state: 'hidden' }).catch(() => {})
  const paint = (look: Theme) =>
    page.evaluate(`document.documentElement.classList.toggle('nr-theme-dark', ${look === 'dark'})`)
  const shoot = (name: string, look: Theme = theme) => screenshot(page, join(screenshots, `${name}-${look}.png`))
  await paint(theme)
  // Forms slide in, and each step is a picture that nobody sees.
  await page.addStyleTag({
    content: '*, *::before, *::after { transition: none !important; animation: none !important }',
  })

  return {
    page,
    errors,
    /** Puts nodes on the open tab, as an import does. */
    add: (nodes: FlowNode[]) => page.evaluate(`RED.view.importNodes(${json(nodes)}, { generateIds: false })`),
    /** Drags a node from the palette onto the open tab; gives its id. */
    async drag(type: string, x: number, y: number) {
      const node = page.locator(`.red-ui-palette-node[data-palette-type="${type}"]`)
      await node.scrollIntoViewIfNeeded()
      const from = (await node.boundingBox())!
      await page.mouse.move(from.x + 20, from.y + 10)
      await page.mouse.down()
      await page.mouse.move(x, y, { steps: 5 })
      await page.mouse.up()
      return page.evaluate<string>(`RED.nodes.filterNodes({ type: ${json(type)} }).at(-1).id`)
    },
    /** Opens the form of a node, or of a configuration node. */
    async open(id: string) {
      await page.evaluate(
        `{ const node = RED.nodes.node(${json(id)})
           if (node._def.category === 'config') RED.editor.editConfig('', node.type, node.id)
           else RED.editor.edit(node) }`,
      )
      // It slides in, and takes the focus; only then do a click and a text meet what they were meant for.
      await page.waitForFunction(
        `(() => {
           const [tray] = $('.red-ui-tray').last()
           return tray && getComputedStyle(tray).right === '0px' && tray.contains(document.activeElement)
         })()`,
      )
    },
    /** Presses "Done" or "Update", whichever the open form has. */
    async save() {
      await page.click('#node-dialog-ok:visible, #node-config-dialog-ok:visible')
      await page.waitForSelector('.red-ui-tray', { state: 'detached' })
    },
    /** What the editor holds of a node, as it would be deployed: without what is empty. */
    async stored(id: string) {
      const whole = await page.evaluate<Record<string, unknown>>(`RED.nodes.convertNode(RED.nodes.node(${json(id)}))`)
      const entries = Object.entries(whole).filter(
        ([name, value]) => value !== undefined && value !== '' && !['credentials', 'outputs'].includes(name),
      )
      return Object.fromEntries(entries)
    },
    isValid: (id: string) => page.evaluate<boolean>(`RED.nodes.node(${json(id)}).valid`),
    async deploy() {
      const posted = page.waitForResponse(
        (response) => response.request().method() === 'POST' && /\/flows$/.test(response.url()),
      )
      await page.click('#red-ui-header-button-deploy')
      await posted
    },
    paint,
    shoot,
    /** Two pictures of the same moment, light and dark. */
    async shootBoth(name: string) {
      for (const look of ['light', 'dark'] as const) {
        await paint(look)
        await shoot(name, look)
      }
      await paint(theme)
    },
    /** Shows a tab of the open form. */
    showTab: (name: string) => page.locator('#countersign-tabs').getByText(name, { exact: true }).click(),
    /** Adds a row to a list of the open form. */
    addRow: (list: string) =>
      page.click(`#node-input-${list}-rows >> xpath=../../.. >> .red-ui-editableList-addButton`),
    /** Fills a cell of the last row of a list. */
    fillCell: (list: string, name: string, type: string, value: string) =>
      page.evaluate(
        `$('#node-input-${list}-rows .countersign-${name}').last()
           .typedInput('type', ${json(type)}).typedInput('value', ${json(value)})`,
      ),
    /** Fills a typed input of the open form. */
    fillTyped: (name: string, type: string, value: string) =>
      page.evaluate(`$('#node-input-${name}').typedInput('type', ${json(type)}).typedInput('value', ${json(value)})`),
    /** Brings a part of the open form into sight. */
    scrollTo: (selector: string) => page.locator(selector).scrollIntoViewIfNeeded(),
    /** What the editor's mark says is wrong with a node. */
    faults: (id: string) => page.evaluate<string[]>(`RED.nodes.node(${json(id)}).validationErrors ?? []`),
    close: () => page.close(),
  }
}
export type Editor = Awaited<ReturnType<typeof openEditor>>

/** On a slow machine the editor shows its first tip before there is a place for it, which is an error of its own. */
async function showNoTips(red: NodeRed) {
  const body = json({ editor: { view: { 'view-show-tips': false } } })
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(red.adminUrl('settings/user'), { method: 'POST', headers, body })
  if (!answer.ok) throw new Error(`The editor takes no settings: ${answer.status}`)
}
