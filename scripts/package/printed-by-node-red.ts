/** Starts Node-RED on a Node.js of any age, with a flow that has a node of each type of the installed package. */
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')
const STARTING_MS = 20_000

/**
 * @param node the program of Node.js
 * @param userDir where the package is installed
 * @param sets the names of its nodes
 * @returns what Node-RED 4.1 prints until it is ended
 */
export function printedByNodeRed(node: string, userDir: string, sets: readonly string[]): string {
  const nodes = sets.map((set) => ({
    id: set,
    type: `countersign-${set}`,
    ...(set !== 'service' && { z: 'tab', wires: [] }),
  }))
  writeFileSync(join(userDir, 'flows.json'), JSON.stringify([{ id: 'tab', type: 'tab', label: 'All' }, ...nodes]))
  const settings = { uiHost: '127.0.0.1', uiPort: 0, flowFile: 'flows.json', telemetry: { enabled: false } }
  writeFileSync(join(userDir, 'settings.js'), `module.exports = ${JSON.stringify(settings)}\n`)
  const redJs = join(root, 'node_modules/node-red-4/red.js')
  return spawnSync(node, [redJs, '-u', userDir], { encoding: 'utf8', timeout: STARTING_MS }).stdout
}
