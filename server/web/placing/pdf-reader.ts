/** Opens a sample PDF in the browser and draws its pages. Nothing that the document brings is run or followed: no script, form, link or file. */
import type { PDFPageProxy, PDFWorker } from 'pdfjs-dist/legacy/build/pdf.mjs'
import worker from 'pdfjs-dist/legacy/build/pdf.worker.min.mjs?url'
import type { Reader, ReaderPage } from '../pdf/reader.ts'

type Library = typeof import('pdfjs-dist/legacy/build/pdf.mjs')

/** Most of what a page loads, so it comes after the page itself. */
let library: Promise<Library> | null = null

/** Reads all documents: starting a thread takes longer than reading most of them. */
let thread: PDFWorker | null = null

const files = `${import.meta.env.BASE_URL}pdfjs/`

/** The reader could not be loaded, which says nothing about the document. */
export class NoReader extends Error {
  override readonly name = 'NoReader'
}

/** Loads what reads documents, so that the first of them opens sooner. */
export const prepareReader = (): void => void loadLibrary().catch(() => {})

function loadLibrary(): Promise<Library> {
  library ??= import('pdfjs-dist/legacy/build/pdf.mjs').then(
    (loaded) => {
      loaded.GlobalWorkerOptions.workerSrc = worker
      return loaded
    },
    (cause) => {
      // The next document tries again.
      library = null
      throw new NoReader('What reads documents could not be loaded.', { cause })
    },
  )
  return library
}

/** Throws when the bytes are not a PDF that can be shown; a `NoReader` when nothing here can read any. */
export async function openReader(pdf: ArrayBuffer): Promise<Reader> {
  const { PDFWorker, TextLayer, getDocument } = await loadLibrary()
  thread ??= new PDFWorker()
  const used = thread
  try {
    const loading = getDocument({
      worker: used,
      data: new Uint8Array(pdf),
      cMapUrl: `${files}cmaps/`,
      standardFontDataUrl: `${files}standard_fonts/`,
      wasmUrl: `${files}wasm/`,
      // The policy of the page forbids WebAssembly, so decoders in plain JavaScript stand in.
      useWasm: false,
      enableXfa: false,
      verbosity: 0,
    })
    const opened = await loading.promise
    const pages = []
    for (let number = 1; number <= opened.numPages; number++)
      pages.push(readerPage(await opened.getPage(number), TextLayer))
    return { pages, close: () => void loading.destroy() }
  } catch (failure) {
    // It may have been the thread: the next document gets a new one. Another document may still be drawn by this one.
    if (thread === used) thread = null
    throw failure
  }
}

/** Browsers refuse larger canvases. */
const MAX_CANVAS_PIXELS = 16_000_000

function readerPage(page: PDFPageProxy, TextLayer: Library['TextLayer']): ReaderPage {
  // pdf.js multiplies by /UserUnit; the boxes of fields do not.
  const unit = 1 / (page.userUnit || 1)
  const { width, height } = page.getViewport({ scale: unit })
  return {
    number: page.pageNumber,
    width,
    height,
    async draw(canvas, text, scale, signal) {
      const fine = Math.min(devicePixelRatio || 1, Math.sqrt(MAX_CANVAS_PIXELS / (width * height)) / scale)
      const viewport = page.getViewport({ scale: unit * scale * fine })
      const drawn = document.createElement('canvas')
      drawn.width = Math.floor(viewport.width)
      drawn.height = Math.floor(viewport.height)
      const drawing = page.render({ canvas: drawn, viewport })
      signal.addEventListener('abort', () => drawing.cancel())
      await drawing.promise
      signal.throwIfAborted()
      // Drawn on another canvas and copied at once, so that the page does not flicker while its size changes.
      canvas.width = drawn.width
      canvas.height = drawn.height
      canvas.getContext('2d')?.drawImage(drawn, 0, 0)
      text.replaceChildren()
      text.style.setProperty('--total-scale-factor', String(unit * scale))
      const layer = new TextLayer({
        textContentSource: page.streamTextContent(),
        container: text,
        viewport: page.getViewport({ scale: unit * scale }),
      })
      await layer.render()
    },
  }
}
