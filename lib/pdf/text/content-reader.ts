/**
 * The only reader of page content, the same that shows the pages. Never draws, never runs a script, loads no picture. Meant
 * for a worker thread: a hostile file can keep it busy, and loading it changes globals. Importing this file fails with a
 * ReaderUnavailableError where the reader cannot run.
 */
import type { PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs'
import type { OperatorList } from './glyphs/operator-list.ts'
import { readerAssets, readerModule } from './reader-files.ts'
import { checkReaderNeeds, ReaderUnavailableError } from './reader-unavailable-error.ts'

const pdfjs = await loadReader()

/** The numbers under which operators are listed. */
export const contentOperators = pdfjs.OPS

export type ReaderDocument = Awaited<ReturnType<typeof pdfjs.getDocument>['promise']>
export type ReaderPage = PDFPageProxy

/** Lists what draws a page on a screen: its content, then its annotations. */
export async function operatorsOfPage(
  page: ReaderPage,
  { withAnnotations }: { withAnnotations: boolean },
): Promise<OperatorList> {
  const annotationMode = withAnnotations ? pdfjs.AnnotationMode.ENABLE : pdfjs.AnnotationMode.DISABLE
  const list = await page.getOperatorList({ annotationMode, intent: 'display' })
  return { operators: list.fnArray, operands: list.argsArray as unknown[] }
}

export interface ReadingOptions {
  /** Whether each page keeps the outlines of its letters: half of the time that reading takes. */
  withOutlines?: boolean
}

/**
 * Opens the document for as long as it is read. Throws when that cannot be done.
 * @param pdf is copied, because the reader takes its buffer away.
 */
export async function withContent<T>(
  pdf: Uint8Array,
  read: (doc: ReaderDocument) => Promise<T>,
  { withOutlines = false }: ReadingOptions = {},
): Promise<T> {
  const assets = readerAssets()
  const task = pdfjs.getDocument({
    data: new Uint8Array(pdf),
    verbosity: 0,
    fontExtraProperties: true, // otherwise fonts have no name
    // Letters are drawn by their outlines, or by fonts of the document that shows them: here one that draws nothing.
    disableFontFace: withOutlines,
    ownerDocument: blindDocument as undefined,
    useSystemFonts: false,
    useWorkerFetch: false,
    isOffscreenCanvasSupported: false,
    isImageDecoderSupported: false,
    useWasm: false,
    enableXfa: false,
    stopAtErrors: false,
    maxImageSize: 0,
    disableAutoFetch: true,
    cMapUrl: `${assets}/cmaps/`,
    cMapPacked: true,
    standardFontDataUrl: `${assets}/standard_fonts/`,
  })
  try {
    return await read(await task.promise)
  } finally {
    await task.destroy()
  }
}

/** Takes fonts as a browser does. */
const blindDocument: unknown = { fonts: new Set() }

/**
 * The reader asks for an optional native canvas while it loads; text needs none of it. Hiding it for that moment saves
 * 120 ms and 45 MB where it is installed, and three warnings where it is not.
 */
async function loadReader(): Promise<typeof import('pdfjs-dist/legacy/build/pdf.mjs')> {
  checkReaderNeeds()
  const getBuiltinModule = process.getBuiltinModule
  const withoutCanvas = (id: string) => (id === 'module' ? { createRequire: () => () => ({}) } : getBuiltinModule(id))
  process.getBuiltinModule = withoutCanvas as typeof getBuiltinModule
  const globals = globalThis as { DOMMatrix?: unknown; Path2D?: unknown; FontFace?: unknown }
  globals.DOMMatrix ??= class {}
  globals.Path2D ??= class {}
  globals.FontFace ??= class {
    readonly loaded = Promise.resolve()
  }
  try {
    return await import(readerModule())
  } catch (failure) {
    const { code, name } = failure as NodeJS.ErrnoException
    throw new ReaderUnavailableError(`could not be loaded (${code ?? name})`)
  } finally {
    process.getBuiltinModule = getBuiltinModule
  }
}
