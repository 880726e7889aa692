/** Builds the pages. Everything that they load is bundled or copied beside them. */
import { cpSync, globSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'vite'

const root = join(import.meta.dirname, '..')
const source = join(root, 'server/web')
/** What pdf.js fetches when a document needs it: character maps, the standard fonts, and decoders without WebAssembly. */
const readerFiles = ['cmaps/*', 'standard_fonts/*', 'wasm/*_nowasm_fallback.js', 'wasm/LICENSE*']

/** Licences that have to come with the bundle of the page /docs. */
const explorerNotices = ['LICENSE', 'NOTICE', 'swagger-ui-es-bundle.js.LICENSE.txt']

/** @param target the folder for the pages, which is emptied */
export async function buildWeb(target: string): Promise<void> {
  await build({
    root: source,
    base: '/web/',
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    build: {
      outDir: target,
      emptyOutDir: true,
      // The pages forbid inline scripts, styles and fonts.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      // pdf.js alone is larger than the size that Vite warns about.
      chunkSizeWarningLimit: 2_000,
      rolldownOptions: {
        checks: { pluginTimings: false },
        input: globSync('*.html', { cwd: source }).map((page) => join(source, page)),
      },
    },
  })
  const reader = join(root, 'node_modules/pdfjs-dist')
  for (const file of readerFiles.flatMap((pattern) => globSync(pattern, { cwd: reader })))
    cpSync(join(reader, file), join(target, 'pdfjs', file))
  const explorer = join(root, 'node_modules/swagger-ui-dist')
  for (const file of explorerNotices) cpSync(join(explorer, file), join(target, 'licences/swagger-ui', file))
}

if (import.meta.main) await buildWeb(join(root, 'dist/server/web'))
