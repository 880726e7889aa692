/** Writes what Node-RED loads of each node: a file that Node.js versions of any age can read, beside the compiled one. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { editorWords } from '../nodes/shared/editor-words.ts'

/**
 * @param made the folder of the build
 * @param sets the names of the node files
 */
export function writeNodeDoors(made: string, sets: readonly string[]): void {
  for (const set of sets)
    writeFileSync(join(made, `nodes/${set}.cjs`), `module.exports = require('../../commonjs/node.cjs')('${set}')\n`)
  writeFileSync(join(made, 'nodes/editor-words.json'), JSON.stringify(editorWords))
}
