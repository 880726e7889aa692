/** Node-RED's editor in a real Chromium: opens, fills and saves the forms of nodes, as a person would. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { root } from './built.ts'
import type { FlowNode, NodeRed } from './node-red.ts'

const screenshots = join(root, 'test/editor/screenshots')

/** How long a tray slides in. */
const TRAY_MS = 400
const json = JSON.stringify

export type Theme = 'light' | 'dark'

/** The editor of a running Node-RED. What its page reports as an error is in `errors`. */
export async function openEditor(browser: Browser, red: NodeRed, theme: Theme = 'light') {
  const page = await browser.newPage({ viewport: { width: 1280, height: 1000 } })
  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(error.message))
  // The editor itself asks the internet for its palette catalogue.
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().includes('net::ERR_')) errors.push(message.text())
  })
  await page.goto(red.adminUrl(''))
  await page.waitForSelector('.red-ui-palette-node[data-palette-type="countersign-create-task"]', { state: 'attached' })
  await page.waitForSelector('#red-ui-loading-progress', { state: 'hidden' }).catch(() => {})
  if (theme === 'dark') await page.evaluate(`document.documentElement.classList.add('nr-theme-dark')`)
  mkdirSync(screenshots, { recursive: true })

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
      await page.waitForSelector('.red-ui-tray')
      await page.waitForTimeout(TRAY_MS)
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
    shoot: (name: string) => page.screenshot({ path: join(screenshots, `${name}-${theme}.png`) }),
    close: () => page.close(),
  }
}
export type Editor = Awaited<ReturnType<typeof openEditor>>
