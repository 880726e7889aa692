/** Builds the pages of the service, and the one of Node-RED's editor. What they load is bundled or copied alongside them. */
import { cpSync, globSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build, type Plugin } from 'vite'
import { licencesOf, packagesOf, type Written, writtenBy } from './packages/licences.ts'

const root = join(import.meta.dirname, '..')
const source = join(root, 'server/web')
/** Files that pdf.js fetches when a document needs them: decoders without WebAssembly, character maps, and the standard fonts. */
const readerFiles = ['wasm/*_nowasm_fallback.js', 'wasm/LICENSE*', 'cmaps/*', 'standard_fonts/*']

/** Licences that have to come with the bundle of the page /docs. */
const explorerNotices = ['LICENSE', 'NOTICE', 'swagger-ui-es-bundle.js.LICENSE.txt']

/** The beginning of the head of every page. */
const HEAD = `<meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
    <meta name="color-scheme" content="light dark" />
    <meta name="robots" content="noindex" />
    <link rel="icon" href="./shared/countersign.svg" type="image/svg+xml" />`

/** Puts it in its place before anything else looks at the page. Throws when a page has no place for it. */
const sharedHead: Plugin = {
  name: 'shared-head',
  transformIndexHtml: {
    order: 'pre',
    handler(page, { filename }) {
      if (!page.includes('<!--head-->')) throw new Error(`There is no <!--head--> in ${filename}.`)
      return page.replace('<!--head-->', HEAD)
    },
  },
}

/**
 * What pdf.js fetches, the service serves from the folder of Node-RED's editor.
 * @param target the folder for the pages of the service, which is emptied
 */
export async function buildWeb(target: string): Promise<Written> {
  const written = await bundle({ folder: source, base: '/web/', target, plugins: [sharedHead], readerFiles: [] })
  const explorer = join(root, 'node_modules/swagger-ui-dist')
  for (const file of explorerNotices) cpSync(join(explorer, file), join(target, 'licences/swagger-ui', file))
  return written
}

/** Its addresses are relative, because no one knows under which root a Node-RED serves its editor. @param target is emptied */
export const buildPlacing = (target: string): Promise<Written> =>
  bundle({
    folder: join(source, 'in-editor'),
    base: './',
    target,
    plugins: [],
    readerFiles,
  })

interface Bundle {
  /** The folder of the html files that are the pages. */
  folder: string
  /** Before the addresses of what the pages load. */
  base: string
  target: string
  plugins: Plugin[]
  /** The files of pdf.js that are copied, as patterns. */
  readerFiles: readonly string[]
}

async function bundle({ folder, base, target, plugins, readerFiles }: Bundle): Promise<Written> {
  const built = await build({
    root: folder,
    base,
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    plugins,
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
        input: globSync('*.html', { cwd: folder }).map((page) => join(folder, page)),
      },
    },
  })
  const written = writtenBy(built, folder)
  mkdirSync(join(target, 'licences'), { recursive: true })
  writeFileSync(join(target, 'licences/packages.txt'), licencesOf(packagesOf(written)))
  const reader = join(root, 'node_modules/pdfjs-dist')
  const copied = readerFiles.flatMap((pattern) => globSync(pattern, { cwd: reader }))
  for (const file of copied) cpSync(join(reader, file), join(target, 'pdfjs', file))
  return new Map([...written, ...copied.map((file): [string, string[]] => [`pdfjs/${file}`, [join(reader, file)]])])
}

if (import.meta.main) await buildWeb(join(root, 'dist/server/web'))
