/**
 * One pool of PDF workers for all services of a process of tests: the first document of each would else wait a second for a thread
 * that loads its libraries. Only where files of tests run side by side: a process of its own should end when its tests have.
 */
import { createPdfPool, type PdfPool, type PdfPoolOptions } from '../../../server/pdf/workers/pool.ts'

const pools = new Map<string, PdfPool>()
/** Longer than any file of tests goes without a document. */
const KEPT_MS = 600_000

export function sharedPool(options: PdfPoolOptions): PdfPool {
  if (process.env.MOCHA_WORKER_ID === undefined) return createPdfPool(options)
  const { group: _, ...own } = options
  const key = JSON.stringify(own)
  const pool = pools.get(key) ?? createPdfPool({ ...own, idleMs: KEPT_MS })
  pools.set(key, pool)
  return { ...pool, close: async () => {} }
}
