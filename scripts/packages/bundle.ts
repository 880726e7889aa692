/**
 * Compiles the sources into few files: one for each module that is loaded by its path, and what these share, so that a start reads
 * few files. What is used of packages for development comes along, so that an installation need not bring them.
 */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'vite'
import { type Written, writtenBy } from './licences.ts'

const root = join(import.meta.dirname, '../..')

/**
 * Modules that are loaded by their path: the entry points of the package, the command, the nodes, and the code of threads; and
 * the part that receivers of webhooks bundle alone, which shares a file with nothing else then.
 */
const byPath = [
  'lib/webhook/signature.ts',
  ...['lib/index.ts', 'server/door.ts', 'server/main.ts', 'testing/door.ts'],
  ...globSync('nodes/*.ts', { cwd: root }),
  ...['server/store/sql/sqlite/thread.ts', 'server/pdf/workers/worker.ts', 'nodes/shared/document/preview-thread.ts'],
  ...['nodes/shared/large/thread.ts', 'nodes/shared/database/thread.ts'],
]

const manifest: Record<'dependencies' | 'peerDependencies', Record<string, string>> = JSON.parse(
  readFileSync(join(root, 'package.json'), 'utf8'),
)

/** Packages that an installation brings. */
const installed = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies })

/**
 * Names stay as they are, so that stack traces can be read.
 * @param made the folder of the build
 * @returns the files that were written
 */
export async function bundle(made: string): Promise<Written> {
  const built = await build({
    root,
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    ssr: { noExternal: true, external: installed },
    build: {
      ssr: true,
      outDir: made,
      emptyOutDir: false,
      // The package comes without the maps, which are as large as all else; they have the sources of a clone.
      sourcemap: 'hidden',
      rolldownOptions: {
        checks: { pluginTimings: false },
        input: Object.fromEntries(byPath.map((file) => [file.replace(/\.ts$/, ''), join(root, file)])),
        output: {
          entryFileNames: '[name].js',
          // As deep as lib/places.ts, which tells where the files are by its own place.
          chunkFileNames: 'shared/[name]-[hash].js',
          codeSplitting: { groups: [{ name: 'places', test: /\/lib\/places\.ts$/ }] },
          minify: { mangle: false, compress: true, codegen: { removeWhitespace: true } },
        },
      },
    },
  })
  return writtenBy(built, root)
}
