/** Draws pages in a thread of its own: with the reader of the pages, and with PDFium. Each is loaded here and nowhere else. */
import { createRequire } from 'node:module'
import path from 'node:path'
import { parentPort } from 'node:worker_threads'
import { PDFiumLibrary } from '@hyzyla/pdfium'
import type { Picture } from './pictures.ts'

const assets = path.dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'))
const pdfjs = await import('pdfjs-dist/legacy/build/pdf.mjs')
const { createCanvas } = createRequire(import.meta.url)('@napi-rs/canvas') as typeof import('@napi-rs/canvas')
const library = await PDFiumLibrary.init()

async function byReader(pdf: Uint8Array, scale: number, pages: number): Promise<Picture[]> {
  const task = pdfjs.getDocument({
    data: new Uint8Array(pdf),
    cMapUrl: `${assets}/cmaps/`,
    standardFontDataUrl: `${assets}/standard_fonts/`,
    wasmUrl: `${assets}/wasm/`,
    useWasm: false,
    enableXfa: false,
    verbosity: 0,
  })
  try {
    const doc = await task.promise
    const pictures: Picture[] = []
    for (let number = 1; number <= Math.min(pages, doc.numPages); number++) {
      const page = await doc.getPage(number)
      const viewport = page.getViewport({ scale: scale / (page.userUnit || 1) })
      const [width, height] = [Math.ceil(viewport.width), Math.ceil(viewport.height)]
      const canvas = createCanvas(width, height)
      // The types of the reader know the canvas of a browser only.
      await page.render({ canvas: canvas as unknown as Parameters<typeof page.render>[0]['canvas'], viewport }).promise
      pictures.push(gray(width, height, scale, canvas.getContext('2d').getImageData(0, 0, width, height).data))
    }
    return pictures
  } finally {
    await task.destroy()
  }
}

async function byPdfium(pdf: Uint8Array, scale: number, pages: number): Promise<Picture[]> {
  const doc = await library.loadDocument(pdf)
  try {
    const pictures: Picture[] = []
    for (let index = 0; index < Math.min(pages, doc.getPageCount()); index++) {
      const page = doc.getPage(index)
      const render = async ({ data }: { data: Uint8Array }) => Uint8Array.from(data)
      const { width, height, data } = await page.render({ scale, render, renderFormFields: true })
      pictures.push(gray(width, height, scale, data))
    }
    return pictures
  } finally {
    doc.destroy()
  }
}

function gray(width: number, height: number, scale: number, data: ArrayLike<number>): Picture {
  const darkness = new Uint8Array(width * height)
  for (let i = 0; i < darkness.length; i++) {
    // As bright as other painters take colors for.
    darkness[i] = 255 - (0.3 * data[4 * i]! + 0.59 * data[4 * i + 1]! + 0.11 * data[4 * i + 2]!)
  }
  return { width, height, scale, darkness }
}

parentPort!.on('message', async ({ id, by, pdf, scale, pages }) => {
  try {
    const pictures = await (by === 'reader' ? byReader : byPdfium)(pdf, scale, pages)
    parentPort!.postMessage({ id, pictures })
  } catch (error) {
    parentPort!.postMessage({ id, failure: String(error) })
  }
})
