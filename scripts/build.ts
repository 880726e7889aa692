/**
 * Builds dist/: the compiled sources, the service's pages, and the files that Node-RED reads from beside the nodes. All of it is
 * made beside dist/ and then takes its place, so that a service that runs meanwhile always finds its pages.
 */
import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, existsSync, globSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { buildWeb } from './build-web.ts'
import { documentDeclarations } from './declarations/document.ts'
import { declareForCommonJs } from './declarations/for-commonjs.ts'

const root = join(import.meta.dirname, '..')

export async function build(): Promise<void> {
  const dist = join(root, 'dist')
  const [made, before] = [`${dist}.new-${process.pid}`, `${dist}.old-${process.pid}`]
  try {
    execFileSync(
      process.execPath,
      [join(root, 'node_modules/typescript/bin/tsc'), '-p', 'tsconfig.build.json', '--outDir', made],
      { cwd: root, stdio: 'inherit' },
    )
    await documentDeclarations(made, root)
    declareForCommonJs(made)
    for (const name of ['icons', 'locales', ...globSync('*.html', { cwd: join(root, 'nodes') })])
      cpSync(join(root, 'nodes', name), join(made, 'nodes', name), { recursive: true })
    await buildWeb(join(made, 'server/web'))
    const command = join(made, 'server/main.js')
    if (existsSync(command)) chmodSync(command, 0o755)
    if (existsSync(dist)) renameSync(dist, before)
    renameSync(made, dist)
  } finally {
    for (const folder of [made, before]) rmSync(folder, { recursive: true, force: true })
  }
}

if (import.meta.main) await build()
