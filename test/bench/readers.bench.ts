/**
 * Would PDFium be the better reader of positions? Looks for the tokens of all fixtures with it and with ours, counts the places of
 * poppler that each confirms within a tenth of a point along the line, and takes the time. `npm run bench -- readers`
 */
import type { PDFiumLibrary } from '@hyzyla/pdfium'
import { openStructure } from '../../lib/pdf/guard/structure.ts'
import { fontExtents } from '../../lib/pdf/text/font-extents.ts'
import { locate } from '../../lib/pdf/text/text.ts'
import { withViewer } from '../../server/pdf/compare/viewer.ts'
import { fixture } from '../support/fixtures.ts'
import { type ReferencePosition, referencePositions } from '../support/seen/reference-positions.ts'
import { medianTime } from './overview/median-time.ts'
import { median } from './overview/row.ts'

interface Place {
  page: number
  left: number
  top: number
  em: number
}

type Reader = (pdf: Uint8Array, tokens: readonly string[]) => Promise<Place[][]>

const RUNS = 7
/** Pixels to a point, because PDFium tells places in whole pixels. */
const FINE = 1000

const readers: Record<string, Reader> = {
  ours: async (pdf, tokens) => {
    const opened = await openStructure(pdf)
    if (!opened.ok) throw new Error(opened.problem)
    const hits = await locate(pdf, tokens, { kind: 'token', extents: fontExtents(opened.doc) })
    return hits.map((some) => some.map(({ page, box, em }) => ({ page, left: box.left, top: box.top, em })))
  },
  PDFium: (pdf, tokens) => withViewer(({ library }) => placesInViewer(library, pdf, tokens)),
}

const totals = Object.fromEntries(
  Object.keys(readers).map((name) => [name, { found: 0, extra: 0, times: [] as number[] }]),
)
let expected = 0
for (const [name, positions] of Object.entries(referencePositions())) {
  const tokens = Object.keys(positions).filter((needle) => needle.startsWith('{'))
  if (tokens.length === 0) continue
  const pdf = fixture(`pdf/${name}`)
  const isTurned = /rot(?:90|270)/.test(name)
  const references = tokens.map((token) => positions[token]!.filter(({ by }) => by === 'poppler'))
  expected += references.flat().length
  for (const [reader, read] of Object.entries(readers)) {
    const total = totals[reader]!
    total.times.push(await medianTime(() => read(pdf, tokens), RUNS))
    const places = await read(pdf, tokens)
    for (const [i, some] of references.entries()) {
      const isSeen = (reference: ReferencePosition) => places[i]!.some((place) => confirms(reference, place, isTurned))
      total.found += some.filter(isSeen).length
      total.extra += Math.max(0, places[i]!.length - some.length)
    }
  }
}

const ours = totals.ours!.times
for (const [reader, { found, extra, times }] of Object.entries(totals)) {
  const ratios = times.map((time, i) => time / ours[i]!).sort((a, b) => a - b)
  console.log(
    `${reader.padEnd(7)} ${found} of ${expected} places of poppler, ${extra} that it does not have; median ` +
      `${median(times).toFixed(1)} ms a document, ${median(ratios).toFixed(2)} × ours, ${ratios.at(-1)!.toFixed(2)} × at worst`,
  )
}

function confirms({ page, left, top }: ReferencePosition, place: Place, isTurned: boolean): boolean {
  const [dx, dy] = [Math.abs(place.left - left), Math.abs(place.top - top)]
  // Readers disagree about the height of fonts.
  const across = place.em
  return page === place.page && ((dx <= 0.1 && dy <= across) || (isTurned && dy <= 0.1 && dx <= across))
}

/** What the package does not offer itself, in the names of PDFium's own interface. */
interface Functions {
  wasmExports: { malloc(size: number): number; free(at: number): void }
  HEAPU8: Uint8Array
  _FPDFText_LoadPage(page: number): number
  _FPDFText_ClosePage(text: number): void
  _FPDFText_FindStart(text: number, needle: number, flags: number, start: number): number
  _FPDFText_FindNext(search: number): number
  _FPDFText_GetSchResultIndex(search: number): number
  _FPDFText_FindClose(search: number): void
  _FPDFText_GetLooseCharBox(text: number, index: number, box: number): number
  _FPDF_PageToDevice(...of: number[]): number
  _FPDF_ClosePage(page: number): void
}

async function placesInViewer(viewer: PDFiumLibrary, pdf: Uint8Array, tokens: readonly string[]): Promise<Place[][]> {
  const document = await viewer.loadDocument(pdf)
  const found: Place[][] = tokens.map(() => [])
  for (let number = 1; number <= document.getPageCount(); number++) {
    const page = document.getPage(number - 1)
    const { module: pdfium, pageIdx } = page as unknown as { module: Functions; pageIdx: number }
    const { originalWidth: width, originalHeight: height } = page.getOriginalSize()
    const text = pdfium._FPDFText_LoadPage(pageIdx)
    const room = pdfium.wasmExports.malloc(256)
    const view = new DataView(pdfium.HEAPU8.buffer)
    for (const [i, token] of tokens.entries()) {
      pdfium.HEAPU8.set(Buffer.from(`${token}\0`, 'utf16le'), room)
      const search = pdfium._FPDFText_FindStart(text, room, 0, 0)
      while (pdfium._FPDFText_FindNext(search)) {
        const index = pdfium._FPDFText_GetSchResultIndex(search)
        pdfium._FPDFText_GetLooseCharBox(text, index, room + 128)
        const [left, top, , bottom] = [0, 4, 8, 12].map((offset) => view.getFloat32(room + 128 + offset, true))
        const size = [0, 0, Math.round(width * FINE), Math.round(height * FINE), 0]
        pdfium._FPDF_PageToDevice(pageIdx, ...size, left!, top!, room + 160, room + 164)
        const [x, y] = [160, 164].map((offset) => view.getInt32(room + offset, true) / FINE)
        found[i]!.push({ page: number, left: x!, top: y!, em: Math.abs(top! - bottom!) })
      }
      pdfium._FPDFText_FindClose(search)
    }
    pdfium.wasmExports.free(room)
    pdfium._FPDFText_ClosePage(text)
    pdfium._FPDF_ClosePage(pageIdx)
  }
  document.destroy()
  return found
}
