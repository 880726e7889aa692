/**
 * Pictures of the pages of documents, drawn by a viewer that nothing else here is built on (PDFium): what it shows is what
 * people see elsewhere. Pictures are drawn by a viewer of their own, so that no document can leave anything behind for the next.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { PDFiumLibrary } from '@hyzyla/pdfium'

/** Pixels from the top left; red, green, blue, alpha for each. */
export interface Picture {
  width: number
  height: number
  data: Uint8Array
}

export interface Pictures {
  pageCount: number
  /** @param page from 1. @param scale pixels to a point. */
  ofPage(page: number, scale: number): Promise<Picture>
}

/** Throws when the viewer cannot open one of the documents, or cannot draw a page. */
export async function withPictures<T>(
  pdfs: readonly Uint8Array[],
  use: (documents: readonly Pictures[]) => Promise<T>,
): Promise<T> {
  const library = await PDFiumLibrary.init({ instantiateWasm })
  try {
    const documents = await Promise.all(pdfs.map((pdf) => library.loadDocument(pdf)))
    try {
      return await use(
        documents.map((document) => ({
          pageCount: document.getPageCount(),
          ofPage: (page, scale) =>
            document.getPage(page - 1).render({ scale, renderFormFields: true, render: async ({ data }) => data }),
        })),
      )
    } finally {
      for (const document of documents) document.destroy()
    }
  } finally {
    library.destroy()
  }
}

/** Kept for opening alone, because starting one takes longer than opening a document. */
let opener: { library: PDFiumLibrary; uses: number } | undefined
/** A viewer that opened this many documents makes room for a new one, with whatever they left behind. */
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

/** Compiling takes a hundred times as long as starting what was compiled. */
function instantiateWasm(imports: WebAssembly.Imports, done: (instance: never) => void): WebAssembly.Exports {
  const file = createRequire(import.meta.url).resolve('@hyzyla/pdfium/pdfium.wasm')
  compiled ??= new WebAssembly.Module(readFileSync(file))
  const instance = new WebAssembly.Instance(compiled, imports)
  // The package's types call it a module.
  done(instance as never)
  return instance.exports
}
