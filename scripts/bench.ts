/** `npm run bench` runs every benchmark in turn. Each prints its figure beside its floor, with the ratio. */
import { spawnSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')

for (const file of globSync('test/bench/*.bench.ts', { cwd: root }).sort()) {
  const { status } = spawnSync(process.execPath, [file], { cwd: root, stdio: 'inherit' })
  if (status !== 0) process.exitCode = 1
}
