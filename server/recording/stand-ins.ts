/** Replaces private values in a recording: the same value has the same stand-in wherever it occurs. */
import { blankPdf } from './blank-pdf.ts'

/** The field of the interface that holds documents, sent and signed. */
const DOCUMENT = 'attachment'

export interface StandIns {
  /** Makes the stand-ins of documents, which takes time: `of` must find them there. */
  meet(documents: Iterable<string>): Promise<void>
  of(text: string, name: string): string
}

export const isDocument = (name: string): boolean => name === DOCUMENT

/** @param pageCount how many pages a PDF has; null when it cannot be determined */
export function createStandIns(pageCount: (pdf: Uint8Array) => Promise<number | null>): StandIns {
  const known = new Map<string, string>()
  const counts = new Map<string, number>()
  const next = (kind: string) => {
    const count = (counts.get(kind) ?? 0) + 1
    counts.set(kind, count)
    return count
  }
  return {
    async meet(documents) {
      for (const document of documents) {
        if (known.has(document)) continue
        const pages = (await pageCount(Buffer.from(document, 'base64'))) ?? 1
        const pdf = await blankPdf(pages, next(DOCUMENT))
        known.set(document, pdf.toString('base64'))
      }
    },
    of(text, name) {
      const standIn = known.get(text) ?? formOf(text, name)(next)
      known.set(text, standIn)
      return standIn
    },
  }
}

type Numbering = (kind: string) => number

/** Keeps the form that clients and people expect of such a value. */
function formOf(text: string, name: string): (next: Numbering) => string {
  if (/^\d{10}$/.test(text)) return (next) => String(next('npi')).padStart(10, '0')
  if (/^\d{4}-\d\d-\d\d$/.test(text))
    return (next) => new Date(Date.UTC(1900, 0, next('date'))).toISOString().slice(0, 10)
  if (/^https?:/.test(text)) return (next) => `https://receiver-${next('url')}.example.invalid/`
  if (name === 'secret') return (next) => Buffer.from(`secret-${next(name)}`.padEnd(32, '.')).toString('base64')
  return (next) => `${name}-${next(name)}`
}
