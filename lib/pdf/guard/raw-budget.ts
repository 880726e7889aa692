/**
 * A budget for what the streams of a PDF expand to, checked on the raw bytes before any parser sees them. Never decodes
 * images. A file can lead it astray (an indirect /Filter, "endstream" inside a stored block), and `parsed-budget.ts` closes
 * those gaps; this one comes first because a parser inflates object and cross-reference streams while it loads.
 */
import { inflate } from '../file/inflate.ts'
import type { PdfLimits } from './limits.ts'

/** Where a stream's dictionary is looked for, in bytes before the word `stream`. */
const HEAD_BYTES = 2048

/** Returns a description of the exceeded limit, or null. */
export function rawBudgetProblem(pdf: Buffer, limits: PdfLimits): string | null {
  let total = 0
  let words = 0
  let at = pdf.indexOf('stream', 0, 'latin1')
  while (at >= 0) {
    words++
    // Without this cap 24 MB of the bare word cost five seconds.
    if (words > 2 * limits.maxStreams) return `has more than ${limits.maxStreams} streams`
    let next = at + 6
    if (pdf.toString('latin1', Math.max(0, at - 3), at) !== 'end') {
      const filters = flateFilters(pdf, at)
      if (filters > 0) {
        const end = pdf.indexOf('endstream', next, 'latin1')
        const data = pdf.subarray(skipLineEnd(pdf, next), end < 0 ? pdf.length : end)
        const expanded = expand(data, filters, Math.min(limits.maxStreamBytes, limits.maxTotalBytes - total))
        if (expanded === null) return overBudget(limits)
        total += expanded
        next = end < 0 ? pdf.length : end
      }
    }
    at = pdf.indexOf('stream', next, 'latin1')
  }
  return null
}

export const overBudget = (limits: PdfLimits): string =>
  `its streams expand beyond ${mebibytes(limits.maxStreamBytes)} MiB each or ${mebibytes(limits.maxTotalBytes)} MiB in all`

const mebibytes = (bytes: number): number => Math.floor(bytes / 2 ** 20)

function flateFilters(pdf: Buffer, at: number): number {
  const head = pdf.toString('latin1', Math.max(0, at - HEAD_BYTES), at)
  const start = head.lastIndexOf(' obj')
  const dictionary = start < 0 ? head : head.slice(start)
  const filters = (dictionary.match(/\/(?:FlateDecode|Fl)\b/g) ?? []).length
  const isImage = filters === 1 && /\/Subtype\s*\/Image\b/.test(dictionary)
  return isImage ? 0 : Math.min(filters, 4)
}

function skipLineEnd(pdf: Buffer, from: number): number {
  const afterReturn = pdf[from] === 0x0d ? from + 1 : from
  return pdf[afterReturn] === 0x0a ? afterReturn + 1 : afterReturn
}

/** Returns the expanded size; null above the cap. A damaged stream counts as nothing: finding it is left to the parser. */
function expand(data: Buffer, filters: number, cap: number): number | null {
  let current = data
  for (let i = 0; i < filters; i++) {
    const inflated = inflate(current, cap)
    if (inflated === 'too large') return null
    if (inflated === 'damaged') return 0
    current = inflated
  }
  return current.length
}
