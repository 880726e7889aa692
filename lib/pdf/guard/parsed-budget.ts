/**
 * The budget of `raw-budget.ts`, checked on parsed dictionaries: names unescaped, references resolved, true bounds of streams.
 * Runs after the structure reader has loaded a file and before its content is read.
 */
import { decodePDFRawStream, type PDFContext, type PDFDict, type PDFDocument, PDFName, PDFRawStream } from 'pdf-lib'
import { inflate } from '../file/inflate.ts'
import type { PdfLimits } from './limits.ts'
import { overBudget } from './raw-budget.ts'
import { type DocumentSurvey, items, nameText } from './survey.ts'

const FLATE = new Set(['FlateDecode', 'Fl'])
/** Filters that yield pixels or need keys; nothing behind them is read for its text. */
const OPAQUE = new Set(['DCTDecode', 'DCT', 'JPXDecode', 'CCITTFaxDecode', 'CCF', 'JBIG2Decode', 'Crypt'])

/** Returns a description of the exceeded limit, or null. */
export function parsedBudgetProblem(doc: PDFDocument, survey: DocumentSurvey, limits: PdfLimits): string | null {
  const { context } = doc
  let total = 0
  for (const [ref, stream] of context.enumerateIndirectObjects()) {
    if (!(stream instanceof PDFRawStream)) continue
    const filters = filterNames(context, stream.dict)
    const isImage = nameText(context.lookup(stream.dict.get(PDFName.of('Subtype')))) === 'Image'
    if (filters.length === 0 || (isImage && !survey.readStreams.has(ref.toString()))) continue
    if (filters.length > limits.maxFilters) return `wraps a stream in more than ${limits.maxFilters} filters`
    const expanded = expand(context, stream, filters, Math.min(limits.maxStreamBytes, limits.maxTotalBytes - total))
    if (expanded === null) return overBudget(limits)
    total += expanded
  }
  return null
}

function filterNames(context: PDFContext, dict: PDFDict): string[] {
  const filter = context.lookup(dict.get(PDFName.of('Filter')) ?? dict.get(PDFName.of('F')))
  return (filter instanceof PDFName ? [filter] : items(filter)).map((name) => nameText(context.lookup(name)))
}

function expand(context: PDFContext, stream: PDFRawStream, filters: readonly string[], cap: number): number | null {
  let data: Uint8Array = stream.getContents()
  for (const filter of filters) {
    if (OPAQUE.has(filter)) break
    const decoded = FLATE.has(filter) ? inflate(data, cap) : decodeOther(context, filter, data, cap)
    if (decoded === 'too large') return null
    if (decoded === 'damaged') return 0
    data = decoded
  }
  return data.length
}

/** In bytes. */
const STEP = 64 * 1024

/** The library's LZW, run-length and ASCII decoders work in small steps, so they can be stopped at the cap. */
function decodeOther(
  context: PDFContext,
  filter: string,
  data: Uint8Array,
  cap: number,
): Uint8Array | 'too large' | 'damaged' {
  try {
    const dict = context.obj({}) as PDFDict
    dict.set(PDFName.of('Filter'), PDFName.of(filter))
    const decoder = decodePDFRawStream(PDFRawStream.of(dict, data))
    const parts: Buffer[] = []
    let length = 0
    // The decoder makes room beforehand for all that it is asked for.
    for (let part = decoder.getBytes(STEP); part.length > 0; part = decoder.getBytes(STEP)) {
      length += part.length
      if (length > cap) return 'too large'
      parts.push(Buffer.from(part))
    }
    return Buffer.concat(parts)
  } catch {
    return 'damaged'
  }
}
