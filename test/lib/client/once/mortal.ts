/** A process that may be killed at any step, for tests on a virtual clock: what it was about to do never happens. */
import type { Clock } from '../../../../lib/clock.ts'
import type { Journal } from '../../../../lib/journal/journal.ts'
import type { FakeClock } from '../../../support/fake-clock.ts'

/** Work of a process: once that is dead, nothing begins, and nothing that was begun is ever heard of again. */
export async function mayDie<T>(work: () => Promise<T>, isDead: { value: boolean }, strike: () => unknown): Promise<T> {
  const never = new Promise<never>(() => {})
  strike()
  if (isDead.value) return never
  const outcome = await work().then(
    (value) => () => value,
    (failure) => () => {
      throw failure
    },
  )
  strike()
  return isDead.value ? never : outcome()
}

type Mortal = <T>(work: () => Promise<T>) => Promise<T>

export const mortalClock = (clock: FakeClock, mortal: Mortal, isDead: { value: boolean }): Clock => ({
  ...clock,
  after: (ms, callback) => clock.after(ms, () => isDead.value || callback()),
  sleep: (ms, signal) => mortal(() => clock.sleep(ms, signal)),
})

export const mortalJournal = (journal: Journal, mortal: Mortal): Journal =>
  Object.assign(Object.create(journal) as Journal, {
    get: (key: string) => mortal(() => journal.get(key)),
    change: (...call: Parameters<Journal['change']>) => mortal(() => journal.change(...call)),
  })
