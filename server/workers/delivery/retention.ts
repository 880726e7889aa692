/**
 * Keeps the log of attempts within its bounds, ends deliveries that have waited too long to be sent safely, and removes the
 * documents and patients of tasks that ended long ago.
 */
import { type Clock, timeOf } from '../../../lib/clock.ts'
import { ATTEMPT_LOG_AGE_MS, ATTEMPT_LOG_ROWS, DELIVERY_LIFE_MS } from '../../choices.ts'
import type { Store } from '../../store/store.ts'
import { createPulse } from '../pulse.ts'
import type { Worker } from '../worker.ts'

export interface RetentionParts {
  store: Pick<Store, 'outbox' | 'deliveries' | 'retention'>
  clock: Clock
  /** Days after its last change for which a finished task keeps its contents; undefined: for good. */
  retainDays: number | undefined
  onFault(fault: unknown): void
}

const EVERY_MS = 60 * 60 * 1000
const DAY_MS = 24 * 60 * 60 * 1000

export function createRetention(parts: RetentionParts): Pick<Worker, 'start' | 'health' | 'stop'> {
  const { store, clock, retainDays, onFault } = parts
  const pulse = createPulse(clock, EVERY_MS)
  let isRunning = false
  let turn = Promise.resolve()
  let cancel = () => {}
  const before = (ms: number) => new Date(clock.now() - ms)

  async function tidy(): Promise<void> {
    await store.outbox.giveUpOlderThan(before(DELIVERY_LIFE_MS), timeOf(clock))
    await store.deliveries.trimAttempts(before(ATTEMPT_LOG_AGE_MS), ATTEMPT_LOG_ROWS)
    if (retainDays !== undefined) await removeContents(before(retainDays * DAY_MS))
  }

  async function removeContents(ended: Date): Promise<void> {
    const { retention } = store
    for (const remove of [retention.removeContents, retention.removePatients])
      while (isRunning && (await remove(ended, timeOf(clock))));
    await retention.forget()
  }

  function run(): void {
    turn = tidy()
      .then(pulse.round, (fault: unknown) => {
        pulse.fault()
        onFault(fault)
      })
      .finally(() => {
        if (isRunning) cancel = clock.after(EVERY_MS, run)
      })
  }

  return {
    start() {
      isRunning = true
      run()
    },
    health: pulse.health,
    async stop() {
      isRunning = false
      cancel()
      await turn
    },
  }
}
