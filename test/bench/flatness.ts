/** How long reads take in a small store and in a large one, and for how long a piece of work stops the event loop. */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import type { Read } from '../support/store/reads.ts'

/** A read may take longer in the large store by this factor; below the floor it is flat anyway. */
export const MOST_RATIO = 1.5
export const FLOOR_MS = 1
export const MOST_STOPPED_MS = 50

const CALLS = 40
const WARM_UP = 3
const TICKS_MS = 5
/** What comes off badly is measured again, and its best round counts: other work on the machine only ever adds. */
export const ROUNDS = 5

export interface Measured {
  read: Read
  /** p95 of one call in the small store, and in the large one. */
  small: number
  large: number
}

export const ratioOf = ({ small, large }: Measured): number => large / small
export const isFlat = (measured: Measured): boolean => measured.large < FLOOR_MS || ratioOf(measured) <= MOST_RATIO

export const percentile = (times: readonly number[], share: number): number =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length * share)]!

/**
 * The same reads of both stores, called in turn, so that other work on the machine slows down both. Those that come off badly are
 * measured again after all others, when what disturbed them is over.
 */
export async function compare(small: readonly Read[], large: readonly Read[]): Promise<Measured[]> {
  const measured: Measured[] = []
  for (const [n, read] of large.entries()) measured.push(await compareOnce(small[n]!, read))
  for (let round = 1; round < ROUNDS; round++)
    for (const [n, before] of measured.entries()) {
      if (ratioOf(before) <= MOST_RATIO) continue
      const again = await compareOnce(small[n]!, large[n]!)
      if (ratioOf(again) < ratioOf(before)) measured[n] = again
    }
  return measured
}

async function compareOnce(small: Read, large: Read): Promise<Measured> {
  const times = { small: [] as number[], large: [] as number[] }
  for (let call = -WARM_UP; call < CALLS; call++) {
    const [less, more] = [await timed(small), await timed(large)]
    if (call < 0) continue
    times.small.push(less)
    times.large.push(more)
  }
  return { read: large, small: percentile(times.small, 0.95), large: percentile(times.large, 0.95) }
}

async function timed({ run }: Read): Promise<number> {
  const begun = performance.now()
  await run()
  return performance.now() - begun
}

/** The longest stop of the event loop, in ms, while a read runs once; the best of some rounds where it is too long. */
export async function stopOf({ run }: Pick<Read, 'run'>): Promise<number> {
  let ms = await stopOfOnce(run)
  for (let round = 1; ms > MOST_STOPPED_MS && round < ROUNDS; round++) ms = Math.min(ms, await stopOfOnce(run))
  return ms
}

/** The same of what cannot be done again. */
export async function stopOfOnce(run: () => Promise<unknown>): Promise<number> {
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  // The first stop is told from a tick before it, and the last by a tick after it.
  await pause(TICKS_MS)
  delay.reset()
  await run()
  await pause(TICKS_MS)
  delay.disable()
  return delay.max / 1e6
}
