/**
 * Builds dist/: the compiled sources, the service's pages, and the files that Node-RED reads from alongside the nodes; and
 * resources/placing/, the page of Node-RED's editor. Each is made alongside its folder and then takes its place, so that a service
 * that runs in the meantime always finds its pages.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  cpSync,
  existsSync,
  globSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join, relative } from 'node:path'
import { buildPlacing, buildWeb } from './build-web.ts'
import { documentDeclarations } from './declarations/document.ts'
import { declareForCommonJs } from './declarations/for-commonjs.ts'
import { writeNodeDoors } from './node-doors.ts'
import { bundle } from './packages/bundle.ts'
import type { Written } from './packages/licences.ts'
import { keepOwnSources } from './packages/own-sources.ts'
import { writeSbom } from './packages/sbom.ts'
import { takePackages } from './packages/take-packages.ts'

const root = join(import.meta.dirname, '..')
const PLACING = join(root, 'resources/placing')

export async function build(): Promise<void> {
  const placing = await replace(PLACING, buildPlacing)
  await replace(join(root, 'dist'), (made) => buildDist(made, placing))
}

async function buildDist(made: string, placing: Written): Promise<void> {
  // Whether the types are right, `npm run check` says.
  execFileSync(
    process.execPath,
    [join(root, 'node_modules/typescript/bin/tsc'), '-p', 'tsconfig.build.json', '--noCheck', '--outDir', made],
    { cwd: root, stdio: 'inherit' },
  )
  await documentDeclarations(made, root)
  declareForCommonJs(made)
  writeNodeDoors(made, join(root, 'nodes'))
  const bundled = await bundle(made)
  const taken = takePackages(made, bundled)
  keepOwnSources(made)
  const reader = copyReader(join(made, 'lib/pdf/text/reader'))
  const web = await buildWeb(join(made, 'server/web'))
  dropCopies(join(made, 'server/web/assets'), join(PLACING, 'assets'))
  writeSbom(made, {
    dist: new Map([...bundled, ...taken]),
    'dist/lib/pdf/text/reader': reader,
    'dist/server/web': web,
    'resources/placing': placing,
  })
  writeFileSync(join(made, 'build.json'), `${JSON.stringify({ build: hashOf(made) })}\n`)
  const command = join(made, 'server/main.js')
  if (existsSync(command)) chmodSync(command, 0o755)
}

/**
 * Takes along what is used of pdf.js in Node.js, with its licence. What it loads for a document is in resources/placing, and so is
 * the code of its thread, which the pages load, too.
 */
function copyReader(target: string): Written {
  const source = join(root, 'node_modules/pdfjs-dist')
  const files = { 'pdf.mjs': join(source, 'legacy/build/pdf.min.mjs'), LICENSE: join(source, 'LICENSE') }
  for (const [name, file] of Object.entries(files)) cpSync(file, join(target, name))
  const [worker] = globSync('pdf.worker*.mjs', { cwd: join(PLACING, 'assets') })
  if (!worker) throw new Error('The page of the editor was built without the thread of pdf.js.')
  writeFileSync(join(target, 'pdf.worker.mjs'), `export * from '../../../../../resources/placing/assets/${worker}'\n`)
  return new Map(Object.entries(files).map(([name, file]) => [name, [file]]))
}

/** Removes the files that another folder has under the same name, which tells the content: the service serves both folders. */
function dropCopies(folder: string, other: string): void {
  for (const name of readdirSync(folder)) if (existsSync(join(other, name))) rmSync(join(folder, name))
}

/** The hash of all files, by which two builds are distinguished; source maps do not count. */
function hashOf(folder: string): string {
  const hash = createHash('sha256')
  const files = globSync('**/*', { cwd: folder, withFileTypes: true, exclude: ['**/*.map'] }).filter((entry) =>
    entry.isFile(),
  )
  for (const file of files.map((entry) => join(entry.parentPath, entry.name)).sort())
    hash.update(relative(folder, file)).update(createHash('sha256').update(readFileSync(file)).digest())
  return hash.digest('hex').slice(0, 12)
}

/** Makes a folder alongside the one that it replaces at the end. */
async function replace<T>(folder: string, make: (made: string) => Promise<T>): Promise<T> {
  const [made, before] = [`${folder}.new-${process.pid}`, `${folder}.old-${process.pid}`]
  try {
    const result = await make(made)
    if (existsSync(folder)) renameSync(folder, before)
    renameSync(made, folder)
    return result
  } finally {
    for (const left of [made, before]) rmSync(left, { recursive: true, force: true })
  }
}

if (import.meta.main) await build()
