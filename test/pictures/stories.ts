/** `npm run pictures`: draws the flows of the stories for docs/guides/stories.md, as the editor shows them, in docs/pictures/stories. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { aFolder } from '../support/a-folder.ts'
import { openBrowser } from '../support/browser/browser.ts'
import { root } from '../support/built.ts'
import { freePort } from '../support/network/free-port.ts'
import { openEditor } from '../support/node-red/editor.ts'
import { exampleFlow } from '../support/node-red/examples/examples.ts'
import { startNodeRed } from '../support/node-red/node-red.ts'
import { stories } from './story-names.ts'

const MARGIN = 15

const red = await startNodeRed({ cwd: aFolder() })
const browser = await openBrowser()
try {
  for (const [file, example] of Object.entries(stories))
    await draw(example, join(root, 'docs/pictures/stories', `${file}.png`))
} finally {
  await browser.close()
  await red.stop()
}

/** Draws the tab of an example, without what is around it, and as narrow as its nodes allow. */
async function draw(example: string, file: string): Promise<void> {
  const ports = { 'countersign-service': await freePort(), 'countersign-mllp-in': await freePort() }
  const nodes = exampleFlow(example).map((node) =>
    node.type in ports ? { ...node, port: String(ports[node.type as keyof typeof ports]) } : node,
  )
  await red.deploy(nodes)
  const { page, close } = await openEditor(browser, red, 'light', { width: 2400, height: 900 })
  // The window is wide enough for the tab beside the sidebars.
  await page.locator('.red-ui-flow-node-group, .red-ui-flow-node').first().waitFor()
  const boxes = await page.locator('.red-ui-flow-node-group, .red-ui-flow-node').evaluateAll((drawn) =>
    drawn.map((node) => {
      const { left, top, right, bottom } = node.getBoundingClientRect()
      return { left, top, right, bottom }
    }),
  )
  const [left, top] = [Math.min(...boxes.map((box) => box.left)), Math.min(...boxes.map((box) => box.top))]
  const [right, bottom] = [Math.max(...boxes.map((box) => box.right)), Math.max(...boxes.map((box) => box.bottom))]
  const clip = {
    x: left - MARGIN,
    y: top - MARGIN,
    width: right - left + 2 * MARGIN,
    height: bottom - top + 2 * MARGIN,
  }
  mkdirSync(join(file, '..'), { recursive: true })
  await page.screenshot({ path: file, clip })
  await close()
}
