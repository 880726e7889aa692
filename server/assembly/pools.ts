/** The worker threads that read, stamp and seal documents: one pool for those that are sent and signed, one for verification. */
import { VERIFY_TIMEOUT_MS } from '../choices.ts'
import { createPdfPool, type PdfPool, type PdfPoolOptions } from '../pdf/workers/pool.ts'
import { createQueueGroup } from '../pdf/workers/turns.ts'

export interface Pools {
  pdf: PdfPool
  /** A pool of its own: anyone may have documents verified, and must not hold up those that are sent and signed. */
  verifying: PdfPool
  /** Jobs of both. */
  load(): { busy: number; queued: number }
  close(): Promise<void>
}

export interface PoolsParts {
  maxAttachmentBytes: number
  /** The tokens that request fields in a document. */
  tokens: readonly string[]
  /** Dots per inch of pages that are converted to pictures. */
  drawingDpi: number
  createPool: (options: PdfPoolOptions) => PdfPool
}

export function createPools({ maxAttachmentBytes: maxBytes, tokens, drawingDpi, createPool }: PoolsParts): Pools {
  const group = createQueueGroup()
  const pdf = createPool({ limits: { maxBytes }, tokens, drawingDpi, group })
  const limits = { maxBytes, readTimeoutMs: VERIFY_TIMEOUT_MS }
  const verifying = createPdfPool({ limits, threads: 1, group, isGuest: true })
  return {
    pdf,
    verifying,
    load: () => ({
      busy: group.running.size,
      queued: group.queues.reduce((sum, { waiting }) => sum + waiting.length, 0),
    }),
    async close() {
      await Promise.all([pdf.close(), verifying.close()])
    },
  }
}
