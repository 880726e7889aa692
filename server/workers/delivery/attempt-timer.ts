/**
 * The time limits of one attempt: one for the connection, one for the whole of it. While other names are looked up first,
 * neither runs; that wait has a limit of its own.
 */
import type { Clock } from '../../../lib/clock.ts'
import { CONNECT_TIMEOUT_MS, DELIVERY_TIMEOUT_MS, LOOKUP_PATIENCE_MS } from '../../choices.ts'
import type { LookupWatch } from './guarded-lookup.ts'

export interface AttemptTimer extends LookupWatch {
  /** The connection is established: from now on only the limit of the whole attempt counts. */
  connected(): void
  /** Cancels all limits, permanently. */
  stop(): void
  /** How long the attempt waited for the look-up of other names, in milliseconds. */
  waitedMs(): number
  /** Since the attempt began, that wait omitted, in milliseconds. */
  elapsedMs(): number
}

/** Starts at once. Calls `onLimit` with `timeout`, or with null when the wait for the look-up was too long. */
export function createAttemptTimer(clock: Clock, onLimit: (outcome: 'timeout' | null) => void): AttemptTimer {
  const createdAt = clock.now()
  let waitedMs = 0
  let isStopped = false
  let cancelLimit = () => {}
  let cancelConnecting = () => {}

  function cancelAll(): void {
    cancelLimit()
    cancelConnecting()
  }

  function begins(): void {
    if (isStopped) return
    cancelAll()
    waitedMs = Math.max(0, clock.now() - createdAt)
    cancelLimit = clock.after(DELIVERY_TIMEOUT_MS, () => onLimit('timeout'))
    cancelConnecting = clock.after(CONNECT_TIMEOUT_MS, () => onLimit('timeout'))
  }

  begins()
  return {
    waits() {
      cancelAll()
      cancelLimit = clock.after(LOOKUP_PATIENCE_MS, () => onLimit(null))
    },
    begins,
    connected: () => cancelConnecting(),
    stop() {
      isStopped = true
      cancelAll()
    },
    waitedMs: () => waitedMs,
    elapsedMs: () => Math.max(0, clock.now() - createdAt - waitedMs),
  }
}
