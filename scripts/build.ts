/**
 * Builds dist/: the compiled sources, the service's pages, and the files that Node-RED reads from beside the nodes; and
 * resources/placing/, the page of Node-RED's editor. Each is made beside its folder and then takes its place, so that a service
 * that runs meanwhile always finds its pages.
 */
import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, existsSync, globSync, renameSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { buildPlacing, buildWeb } from './build-web.ts'
import { documentDeclarations } from './declarations/document.ts'
import { declareForCommonJs } from './declarations/for-commonjs.ts'
import { writeNodeDoors } from './node-doors.ts'
import { bundle } from './packages/bundle.ts'
import { keepOwnSources } from './packages/own-sources.ts'
import { takePackages } from './packages/take-packages.ts'

const root = join(import.meta.dirname, '..')

export async function build(): Promise<void> {
  await replace(join(root, 'dist'), buildDist)
  await replace(join(root, 'resources/placing'), buildPlacing)
}

async function buildDist(made: string): Promise<void> {
  // Whether the types are right, `npm run check` says.
  execFileSync(
    process.execPath,
    [join(root, 'node_modules/typescript/bin/tsc'), '-p', 'tsconfig.build.json', '--noCheck', '--outDir', made],
    { cwd: root, stdio: 'inherit' },
  )
  await documentDeclarations(made, root)
  declareForCommonJs(made)
  writeNodeDoors(made, join(root, 'nodes'))
  takePackages(made, await bundle(made))
  keepOwnSources(made)
  copyReader(join(made, 'lib/pdf/text/reader'))
  await buildWeb(join(made, 'server/web'))
  const command = join(made, 'server/main.js')
  if (existsSync(command)) chmodSync(command, 0o755)
}

/** What is used of pdf.js, with the licences that have to come along: its code for Node.js, and what it loads for a document. */
const readerFiles: Readonly<Record<string, readonly string[]>> = {
  '.': ['legacy/build/pdf.min.mjs', 'legacy/build/pdf.worker.min.mjs', 'LICENSE'],
  cmaps: ['cmaps/*'],
  standard_fonts: ['standard_fonts/*'],
}

function copyReader(target: string): void {
  const source = join(root, 'node_modules/pdfjs-dist')
  for (const [folder, patterns] of Object.entries(readerFiles)) {
    const found = globSync([...patterns], { cwd: source })
    if (found.length < patterns.length) throw new Error(`pdfjs-dist lacks some of ${patterns.join(', ')}`)
    for (const file of found)
      cpSync(join(source, file), join(target, folder, basename(file).replace('.min.mjs', '.mjs')))
  }
}

/** Makes a folder beside the one that it replaces at the end. */
async function replace(folder: string, make: (made: string) => Promise<void>): Promise<void> {
  const [made, before] = [`${folder}.new-${process.pid}`, `${folder}.old-${process.pid}`]
  try {
    await make(made)
    if (existsSync(folder)) renameSync(folder, before)
    renameSync(made, folder)
  } finally {
    for (const left of [made, before]) rmSync(left, { recursive: true, force: true })
  }
}

if (import.meta.main) await build()
