/**
 * Keeps the log of attempts within its bounds, ends deliveries that have waited too long to be sent safely, removes the
 * documents and patients of tasks that ended long ago, and drops what signing in left behind.
 */
import { type Clock, timeOf } from '../../../lib/clock.ts'
import { ATTEMPT_LOG_AGE_MS, ATTEMPT_LOG_ROWS, DELIVERY_LIFE_MS } from '../../choices.ts'
import type { PatientPlace } from '../../store/retention.ts'
import type { Store } from '../../store/store.ts'
import { createPulse } from '../pulse.ts'
import type { Worker } from '../worker.ts'

export interface RetentionParts {
  store: Pick<Store, 'outbox' | 'deliveries' | 'retention' | 'signInTries' | 'devices' | 'keyRates' | 'keyUse'>
  clock: Clock
  /** Days after its last change for which a finished task keeps its contents; undefined: it is kept. */
  retainDays: number | undefined
  onFault(fault: unknown): void
}

const EVERY_MS = 60 * 60 * 1000
/** After a round that failed, as when the store was away for a moment. */
const AGAIN_MS = 60 * 1000
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
    await store.outbox.cancelStranded(timeOf(clock))
    await store.deliveries.trimAttempts(before(ATTEMPT_LOG_AGE_MS), ATTEMPT_LOG_ROWS)
    await store.signInTries.sweep(timeOf(clock))
    await store.devices.sweep(timeOf(clock))
    await store.keyRates?.sweep(timeOf(clock))
    await store.keyUse.sweep(timeOf(clock))
    if (retainDays !== undefined) await removeContents(before(retainDays * DAY_MS))
  }

  async function removeContents(ended: Date): Promise<void> {
    const { retention } = store
    while (isRunning && (await retention.removeContents(ended, timeOf(clock))));
    for (let next: PatientPlace | null | undefined; isRunning && next !== null; )
      next = await retention.removePatients(ended, timeOf(clock), next)
    await retention.forget()
  }

  /** Returns how long to wait for the next one. Never rejects. */
  async function round(): Promise<number> {
    try {
      await tidy()
      pulse.round()
      return EVERY_MS
    } catch (fault) {
      pulse.fault()
      onFault(fault)
      return AGAIN_MS
    }
  }

  function run(): void {
    turn = round().then((pauseMs) => {
      if (isRunning) cancel = clock.after(pauseMs, run)
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
