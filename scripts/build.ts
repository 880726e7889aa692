/** Builds dist/: the compiled sources, the service's pages, and the files that Node-RED reads from beside the nodes. */
import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, existsSync, globSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { buildWeb } from './build-web.ts'

const root = join(import.meta.dirname, '..')
const dist = join(root, 'dist')

rmSync(dist, { recursive: true, force: true })
execFileSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', 'tsconfig.build.json'], {
  cwd: root,
  stdio: 'inherit',
})
for (const name of ['icons', 'locales', ...globSync('*.html', { cwd: join(root, 'nodes') })])
  cpSync(join(root, 'nodes', name), join(dist, 'nodes', name), { recursive: true })
await buildWeb()

const command = join(dist, 'server/main.js')
if (existsSync(command)) chmodSync(command, 0o755)
