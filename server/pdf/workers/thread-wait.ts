/**
 * How long a thread has waited for a processor: time that passes because the machine is busy. Only
 * Linux tells it; elsewhere no thread has ever waited.
 */
import { readFileSync, readlinkSync } from 'node:fs'
import { basename } from 'node:path'

/** The number by which the system knows the calling thread; 0 where it does not tell. */
export function ownThread(): number {
  try {
    return Number(basename(readlinkSync('/proc/thread-self')))
  } catch {
    return 0
  }
}

/** Milliseconds that a thread of this process was ready to run and had no processor, since it began. */
export function waitedMs(thread: number): number {
  if (thread === 0) return 0
  try {
    // The nanoseconds that it ran, those that it waited, and how often it was given a processor.
    return Number(readFileSync(`/proc/self/task/${thread}/schedstat`, 'latin1').split(' ')[1]) / 1e6 || 0
  } catch {
    return 0
  }
}
