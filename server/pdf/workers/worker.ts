/** A worker thread of the pool: does one job at a time. It may be ended at any moment, so it keeps nothing but fonts and the form of seals. */
import { createHash } from 'node:crypto'
import { move, transferableSymbol, valueSymbol } from 'piscina'
import { decodeAttachment, decodeJsonAttachment } from '../../../lib/pdf/guard/attachment.ts'
import { placeInPdf } from '../../../lib/pdf/placement/place-in-pdf.ts'
import { verifySealed } from '../../../lib/pdf/seal/verify.ts'
import { addSignature, completeDocument } from '../complete.ts'
import { drawDocument } from '../draw/draw-document.ts'
import { pageSizes, showPage } from '../draw/shown-page.ts'
import { previewInk } from '../preview.ts'
import { receiveDocument } from '../receive.ts'
import { rehearseSigning } from '../rehearse.ts'
import { attachTimestamp } from '../seal/timestamp/attach.ts'
import { InflateAtOnce } from './inflate-at-once.ts'
import type {
  CompleteAnswer,
  DrawAnswer,
  InspectAnswer,
  JobName,
  JobOutcome,
  JobRequest,
  Jobs,
  SealedAnswer,
} from './jobs.ts'
import { begin, finish, type Progress, tellPages } from './progress.ts'
import { ownThread } from './thread-wait.ts'

type JobFunctions = {
  [N in JobName]: (question: Jobs[N]['question'], progress: Progress) => Promise<Jobs[N]['answer']>
}

const functions: JobFunctions = {
  async inspect({ attachment, ...reception }, progress): Promise<InspectAnswer> {
    const { limits } = reception
    const isText = typeof attachment === 'string'
    const decoded = isText ? decodeAttachment(attachment, limits) : decodeJsonAttachment(attachment, limits)
    if (!decoded.ok) return decoded
    const received = await receiveDocument(decoded.pdf, reception, tellTo(progress))
    if (!received.ok) return received
    const { pdf, ...answer } = received
    return { ...answer, ...ownBytes(pdf), receivedSha256: sha256(decoded.pdf) }
  },

  async draw({ pdf, limits, dpi }, progress): Promise<DrawAnswer> {
    const onPageCount = (count: number) => tellPages(progress, READINGS_OF_A_DRAWING * count)
    const drawn = await drawDocument(pdf, limits, onPageCount, dpi)
    return drawn.ok ? { ok: true, ...ownBytes(drawn.pdf) } : drawn
  },

  place: ({ pdf, annotations, templateFields, tokens }, progress) =>
    placeInPdf(pdf, annotations, templateFields, { tokens, onPageCount: tellTo(progress) }),

  rehearse: ({ pdf, rehearsal, limits }, progress) => rehearseSigning(pdf, rehearsal, limits, tellTo(progress)),

  async complete({ pdf, completion, limits }, progress): Promise<CompleteAnswer> {
    const completed = await completeDocument(pdf, completion, { limits, onPageCount: tellTo(progress) })
    return completed.ok ? { ...completed, ...ownBytes(completed.pdf) } : completed
  },

  async addSignature({ pdf, signature }): Promise<SealedAnswer> {
    const sealed = addSignature(pdf, signature)
    return sealed.ok ? { ...sealed, ...ownBytes(sealed.pdf) } : sealed
  },

  async timestamp({ pdf, answered }) {
    const bytes = Buffer.from(pdf.buffer, pdf.byteOffset, pdf.byteLength)
    const stamped = attachTimestamp(bytes, answered)
    return stamped.ok ? { ok: true, ...ownBytes(stamped.pdf) } : stamped
  },

  preview: ({ pdf, ink }) => previewInk(pdf, ink),

  sizes: async ({ pdf }) => ({ sha256: sha256(pdf), pages: await pageSizes(pdf) }),

  show: ({ pdf, request }) => showPage(pdf, request),

  verify: async ({ pdf, expectedCertificates, options }) => verifySealed(pdf, expectedCertificates, options),
}

/** How many pages that are read take as long as one that is drawn. */
const READINGS_OF_A_DRAWING = 20

/** Tells the pool how many pages have to be read: many may take longer. */
const tellTo = (progress: Progress) => (count: number) => tellPages(progress, count)

/** Bytes that no other view shares, so that they can be handed over without a copy. */
function ownBytes(bytes: Uint8Array): { pdf: Uint8Array; sha256: string } {
  const isOwner = bytes.byteLength === bytes.buffer.byteLength
  const pdf = isOwner ? new Uint8Array(bytes.buffer) : new Uint8Array(bytes)
  return { pdf, sha256: sha256(pdf) }
}

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

export default async function work<N extends JobName>({ name, question, progress }: JobRequest<N>): Promise<unknown> {
  begin(progress, ownThread())
  const outcome = await outcomeOf(functions[name], question, progress)
  finish(progress)
  if (!('answer' in outcome) || !('pdf' in outcome.answer)) return outcome
  return move({ [transferableSymbol]: [outcome.answer.pdf.buffer], [valueSymbol]: outcome })
}

/** Errors travel as text, so that the pool can tell them from the end of the thread itself. */
async function outcomeOf<N extends JobName>(
  job: JobFunctions[N],
  question: Jobs[N]['question'],
  progress: Progress,
): Promise<JobOutcome<N>> {
  try {
    return { answer: await job(question, progress) }
  } catch (error) {
    return { fault: error instanceof Error ? error.message : String(error) }
  }
}

globalThis.DecompressionStream = InflateAtOnce

// The readers write warnings that may quote the document.
for (const level of ['debug', 'log', 'info', 'warn', 'error'] as const) console[level] = () => {}
