/** How much of the memory that a process has gained may be due to its worker threads. Pure but for `memoryNow`. */

export interface Memory {
  /** The process's share of the machine's memory, in bytes. */
  process: number
  /** The same without what this thread uses. */
  others: number
}

export function memoryNow(): Memory {
  const { rss, heapTotal, external } = process.memoryUsage()
  return { process: rss, others: rss - heapTotal - external }
}

/**
 * Returns by how many bytes the process has grown for its worker threads, at most. This thread continues serving large requests:
 * what it takes in the meantime is its own, and what it frees stays with the process for a while, as if others had taken it.
 */
export const growthBytes = (before: Memory, now: Memory): number =>
  Math.min(now.process - before.process, now.others - before.others)
