/**
 * Objects that several rules look at: a pending task, a retracted one, a failed one, subscriptions. Each is created when the
 * first rule needs it, and only once. It is lenient on purpose: an error that one rule reports must not prevent the other rules
 * from running.
 */
import type { Clock } from '../../clock.ts'
import type { CallbackReceiver } from '../callback-receiver.ts'
import type { Host } from '../host.ts'
import { createBodies } from './bodies.ts'
import { createCallbacks } from './callbacks.ts'
import { createOutcomes } from './outcomes.ts'
import { createTasks } from './tasks.ts'
import { waitFor } from './wait-for.ts'

export interface StageOptions {
  host: Host
  /** Null when the host could not reach one. */
  receiver: CallbackReceiver | null
  clock: Clock
  newId: () => string
  /** An active signer, in whose inbox the documents of the test appear. */
  signerNpi: string
  /** How long a task may take to become Pending, and a callback to come. */
  patienceMs: number
}

/** State shared by its parts. */
export interface StageContext extends StageOptions {
  /** Looks until something is found; null when nothing is in time. */
  wait: <T>(look: () => Promise<T | null>) => Promise<T | null>
}

export function createStage(options: StageOptions) {
  const { clock, patienceMs, newId } = options
  const context: StageContext = { ...options, wait: (look) => waitFor(look, clock, patienceMs) }
  const bodies = createBodies(context)
  const callbacks = createCallbacks(context)
  const tasks = createTasks(context, bodies, callbacks)
  return {
    ...bodies,
    ...callbacks,
    ...tasks,
    ...createOutcomes(context, tasks),
    wait: context.wait,
    newId,
  }
}
export type Stage = ReturnType<typeof createStage>
