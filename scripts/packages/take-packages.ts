/**
 * Puts what is used of large packages into dist/packages, and has the compiled sources load it from there: their code as one
 * file each, the files that are read as they run, and the licences of all of it. So an installation need not bring the packages,
 * which are ten times as large, and a start reads one file where a package has hundreds.
 */
import { cpSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { build } from 'vite'
import { fontsAlwaysThere } from '../../server/pdf/ink/letters/font-files.ts'
import { folderOf, licencesOf, modulesIn, packagesIn } from './licences.ts'

const root = join(import.meta.dirname, '../..')
const { resolve } = createRequire(import.meta.url)

/** The packages whose code is taken, and the names of their files. */
const code: Readonly<Record<string, string>> = {
  'pdf-lib': 'pdf-lib',
  '@cantoo/fontkit': 'fontkit',
  '@hyzyla/pdfium': 'pdfium',
  kysely: 'kysely',
  'kysely/migration': 'kysely-migration',
}

/** What `packageFile` finds. */
const files = ['@hyzyla/pdfium/pdfium.wasm', ...fontsAlwaysThere.map(({ path }) => path)]

/** @param made the folder of the build, with the compiled sources */
export async function takePackages(made: string): Promise<void> {
  const target = join(made, 'packages')
  const bundled = await bundleCode(target)
  for (const file of files) cpSync(resolve(file), join(target, file))
  const packages = new Set([...packagesIn(bundled), ...files.map((file) => folderOf(resolve(file)))])
  const pdfium = readFileSync(join(import.meta.dirname, 'pdfium-licence.txt'), 'utf8')
  writeFileSync(join(target, 'LICENCES.txt'), `${licencesOf(packages)}\n${pdfium}`)
  loadFrom(target, made)
}

/** Names stay as they are, so that stack traces can be read. @returns the files whose code was taken */
async function bundleCode(target: string): Promise<string[]> {
  const built = await build({
    root,
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    ssr: { noExternal: true },
    build: {
      ssr: true,
      outDir: target,
      emptyOutDir: true,
      rolldownOptions: {
        checks: { pluginTimings: false },
        input: Object.fromEntries(Object.entries(code).map(([name, file]) => [file, name])),
        output: {
          entryFileNames: '[name].js',
          chunkFileNames: 'shared-[name].js',
          minify: { mangle: false, compress: true, codegen: { removeWhitespace: true } },
        },
      },
    },
  })
  return modulesIn(built)
}

/** Lets the compiled sources import from the folder what they import from the packages. */
function loadFrom(target: string, made: string): void {
  for (const file of globSync('{lib,server,testing,nodes}/**/*.js', { cwd: made, exclude: ['server/web/**'] })) {
    const compiled = join(made, file)
    const text = readFileSync(compiled, 'utf8')
    const changed = text.replace(/(\bfrom |\bimport\()'([^'.][^']*)'/g, (found, before: string, name: string) => {
      if (!code[name]) return found
      return `${before}'${relative(dirname(compiled), join(target, `${code[name]}.js`)).replaceAll('\\', '/')}'`
    })
    if (changed !== text) writeFileSync(compiled, changed)
  }
}
