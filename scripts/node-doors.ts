/**
 * Writes dist/node-red, the folder that Node-RED reads: for each node a file that every version of Node.js can read, and alongside it
 * its form, its help in each language, and its icon. The files end in `.js`, because the catalogue of Node-RED finds forms by that.
 */
import { cpSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { editorWords } from '../nodes/shared/editor-words.ts'
import { withReferences } from './node-references.ts'

/**
 * @param made the folder of the build
 * @param nodes the folder of the sources
 */
export function writeNodeDoors(made: string, nodes: string): void {
  const target = join(made, 'node-red')
  mkdirSync(target)
  writeFileSync(join(target, 'package.json'), '{ "type": "commonjs" }\n')
  for (const form of globSync('*.html', { cwd: nodes })) {
    const set = basename(form, '.html')
    writeFileSync(join(target, `${set}.js`), `module.exports = require('../../commonjs/node.cjs')('${set}')\n`)
    cpSync(join(nodes, form), join(target, form))
  }
  for (const folder of ['icons', 'locales']) cpSync(join(nodes, folder), join(target, folder), { recursive: true })
  for (const help of globSync('locales/*/*.html', { cwd: target })) {
    const file = join(target, help)
    writeFileSync(file, withReferences(readFileSync(file, 'utf8'), help))
  }
  writeFileSync(join(target, 'editor-words.json'), JSON.stringify(editorWords))
}
