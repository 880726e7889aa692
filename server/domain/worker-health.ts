/** How a worker is doing, as its process sees it at a moment. */
export interface WorkerHealth {
  /** Milliseconds since the last round that ended well; null when there was none yet. */
  sinceRoundMs: number | null
  /** Milliseconds since the last fault; null when there was none. */
  sinceFaultMs: number | null
  /** A worker whose last round is longer ago than this is late. */
  lateAfterMs: number
  /** An obstacle to its work, as a sentence for the operator; omitted when there is none. */
  problem?: string | undefined
}

export interface WorkerState extends WorkerHealth {
  /** The name that the console shows. */
  name: string
}

export const isLate = ({ sinceRoundMs, lateAfterMs }: WorkerHealth): boolean =>
  sinceRoundMs === null || sinceRoundMs > lateAfterMs
