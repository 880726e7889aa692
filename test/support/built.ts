/** The nodes as Node-RED loads them: compiled. Builds them when a source is newer than what was built. */
import { execFileSync } from 'node:child_process'
import { existsSync, globSync, statSync } from 'node:fs'
import { join } from 'node:path'

export const root = join(import.meta.dirname, '../..')
const stamp = join(root, 'dist/nodes/service.js')
const pageOfEditor = join(root, 'resources/placing/place-fields.html')

/** Thousands of files are looked at, so once in a process. */
let isBuilt = false

export function ensureBuilt() {
  if (isBuilt) return
  if (!isUpToDate()) execFileSync(process.execPath, [join(root, 'scripts/build.ts')], { cwd: root, stdio: 'inherit' })
  isBuilt = true
}

function isUpToDate(): boolean {
  const sources = globSync('{lib,server,testing,nodes}/**/*.{ts,html,json,svg}', { cwd: root })
  const newest = Math.max(...sources.map((path) => statSync(join(root, path)).mtimeMs))
  return existsSync(pageOfEditor) && existsSync(stamp) && statSync(stamp).mtimeMs > newest
}
