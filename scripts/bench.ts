/**
 * `npm run bench` runs every benchmark in turn, `npm run bench -- lists` one of them. Each prints its figure alongside its floor,
 * with the ratio.
 */
import { spawnSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const [name = '*', ...rest] = process.argv.slice(2)
const files = globSync(`test/bench/${name}.bench.ts`, { cwd: root }).sort()
if (files.length === 0) throw new Error(`There is no test/bench/${name}.bench.ts.`)

for (const file of files) {
  const { status } = spawnSync(process.execPath, [file, ...rest], { cwd: root, stdio: 'inherit' })
  if (status !== 0) process.exitCode = 1
}
