/**
 * Keeps the log of attempts within its bounds, ends deliveries that have waited too long to be sent safely, and drops what
 * signing in left behind.
 */
import { type Clock, timeOf } from '../../../lib/clock.ts'
import { ATTEMPT_LOG_AGE_MS, ATTEMPT_LOG_ROWS, DELIVERY_LIFE_MS } from '../../choices.ts'
import type { Store } from '../../store/store.ts'
import { createPulse } from '../pulse.ts'
import type { Worker } from '../worker.ts'

export interface RetentionParts {
  store: Pick<Store, 'outbox' | 'deliveries' | 'signInTries' | 'devices'>
  clock: Clock
  onFault(fault: unknown): void
}

const EVERY_MS = 60 * 60 * 1000

export function createRetention({ store, clock, onFault }: RetentionParts): Pick<Worker, 'start' | 'health' | 'stop'> {
  const pulse = createPulse(clock, EVERY_MS)
  let isRunning = false
  let turn = Promise.resolve()
  let cancel = () => {}
  const before = (ms: number) => new Date(clock.now() - ms)

  async function tidy(): Promise<void> {
    await store.outbox.giveUpOlderThan(before(DELIVERY_LIFE_MS), timeOf(clock))
    await store.deliveries.trimAttempts(before(ATTEMPT_LOG_AGE_MS), ATTEMPT_LOG_ROWS)
    await store.signInTries.sweep(timeOf(clock))
    await store.devices.sweep(timeOf(clock))
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
