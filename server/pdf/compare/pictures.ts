/**
 * Pictures of the pages of documents, drawn by a viewer that nothing else here is built on (PDFium), so that they show what people
 * see elsewhere. Each document gets a fresh viewer: one that has replaced a font draws the next document differently.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { PDFiumLibrary } from '@hyzyla/pdfium'

export interface Picture {
  /** In pixels. */
  width: number
  height: number
  /** Red, green, blue and alpha of each pixel, row by row from the top left. */
  data: Uint8Array
}

export interface Pictures {
  pageCount: number
  /**
   * @param page from 1
   * @param scale pixels to a point
   */
  ofPage(page: number, scale: number): Promise<Picture>
}

/**
 * Opens the documents, in the order given, for as long as `use` takes. Throws when the viewer cannot open one of them, or cannot
 * draw a page.
 */
export async function withPictures<T>(
  pdfs: readonly Uint8Array[],
  use: (documents: readonly Pictures[]) => Promise<T>,
): Promise<T> {
  const [first, ...others] = pdfs
  if (!first) return use([])
  return withPicturesOf(first, (pictures) => withPictures(others, (more) => use([pictures, ...more])))
}

async function withPicturesOf<T>(pdf: Uint8Array, use: (pictures: Pictures) => Promise<T>): Promise<T> {
  const library = await PDFiumLibrary.init({ instantiateWasm })
  try {
    const document = await library.loadDocument(pdf)
    try {
      return await use({
        pageCount: document.getPageCount(),
        ofPage: (page, scale) =>
          document.getPage(page - 1).render({ scale, renderFormFields: true, render: async ({ data }) => data }),
      })
    } finally {
      document.destroy()
    }
  } finally {
    library.destroy()
  }
}

/** A viewer that only opens documents. It is kept, because starting one takes longer than opening a document. */
let opener: { library: PDFiumLibrary; uses: number } | undefined
/** A viewer that has opened this many documents is replaced, so that what they left behind does not pile up. */
const USES = 100

/** How many pages the viewer finds; null when it cannot open the document. */
export async function pageCountInViewer(pdf: Uint8Array): Promise<number | null> {
  opener ??= { library: await PDFiumLibrary.init({ instantiateWasm }), uses: 0 }
  const { library } = opener
  try {
    const document = await library.loadDocument(pdf)
    const count = document.getPageCount()
    document.destroy()
    if (++opener.uses >= USES) retire()
    return count
  } catch {
    retire()
    return null
  }
}

function retire(): void {
  const retired = opener
  opener = undefined
  try {
    retired?.library.destroy()
  } catch {
    // A viewer that broke cannot be closed, only forgotten.
  }
}

let compiled: WebAssembly.Module | undefined

/** Compiles once for each thread: that takes a hundred times as long as starting what was compiled. */
function instantiateWasm(imports: WebAssembly.Imports, done: (instance: never) => void): WebAssembly.Exports {
  const file = createRequire(import.meta.url).resolve('@hyzyla/pdfium/pdfium.wasm')
  compiled ??= new WebAssembly.Module(readFileSync(file))
  const instance = new WebAssembly.Instance(compiled, imports)
  // The package's types call it a module.
  done(instance as never)
  return instance.exports
}
