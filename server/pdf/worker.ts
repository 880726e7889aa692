/** The worker thread of the pool: does one job at a time. May be ended at any moment, so it keeps nothing but fonts. */
import { createHash } from 'node:crypto'
import { move, transferableSymbol, valueSymbol } from 'piscina'
import { fontExtents } from '../../lib/pdf/font-extents.ts'
import { pageFrames } from '../../lib/pdf/page-frame.ts'
import { needlesOf, type Placed, placeFields } from '../../lib/pdf/placement.ts'
import { decodeAttachment, inspectPdf } from '../../lib/pdf/source.ts'
import { openStructure } from '../../lib/pdf/structure.ts'
import { locate } from '../../lib/pdf/text.ts'
import { completeDocument } from './complete.ts'
import type { CompleteAnswer, InspectAnswer, JobName, JobRequest, Jobs } from './jobs.ts'

type Workers = { [N in JobName]: (question: Jobs[N]['question']) => Promise<Jobs[N]['answer']> }

const workers: Workers = {
  async inspect({ attachment, limits }): Promise<InspectAnswer> {
    const decoded = decodeAttachment(attachment, limits)
    if (!decoded.ok) return decoded
    const inspected = await inspectPdf(decoded.pdf, limits)
    return inspected.ok ? { ...inspected, ...ownBytes(decoded.pdf) } : inspected
  },

  async place({ pdf, annotations, templateFields }): Promise<Placed> {
    const opened = await openStructure(pdf)
    if (!opened.ok) return { ok: false, problem: `document.attachment: ${opened.problem}` }
    const pages = pageFrames(opened.doc)
    const needles = needlesOf(annotations)
    if (!needles) return placeFields(annotations, templateFields, pages, [])
    try {
      const hits = await locate(pdf, needles.texts, { kind: needles.kind, extents: fontExtents(opened.doc) })
      return placeFields(annotations, templateFields, pages, hits)
    } catch {
      return { ok: false, problem: 'document.attachment: its text cannot be read; save or print it to PDF again' }
    }
  },

  async complete({ pdf, completion }): Promise<CompleteAnswer> {
    const completed = await completeDocument(pdf, completion)
    return completed.ok ? { ok: true, ...ownBytes(completed.pdf) } : completed
  },
}

/** Bytes that no other view shares, so that they can be handed over without a copy. */
function ownBytes(bytes: Uint8Array): { pdf: Uint8Array; sha256: string } {
  const isOwner = bytes.byteLength === bytes.buffer.byteLength
  const pdf = isOwner ? new Uint8Array(bytes.buffer) : new Uint8Array(bytes)
  return { pdf, sha256: createHash('sha256').update(pdf).digest('hex') }
}

export default async function work({ name, question, started }: JobRequest): Promise<unknown> {
  Atomics.store(started, 0, 1)
  const answer = await (workers[name] as (question: unknown) => Promise<Jobs[JobName]['answer']>)(question)
  if (!('pdf' in answer)) return answer
  return move({ [transferableSymbol]: [answer.pdf.buffer], [valueSymbol]: answer })
}
