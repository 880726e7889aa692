/** The dispatcher: takes events out of the outbox, makes a delivery for each subscription, and tries each until it is received. */
import { DELIVERY_SLOTS, ENDPOINT_POLICY } from '../../choices.ts'
import type { AttemptOutcome } from '../../domain/delivery/attempt.ts'
import { createWorker, type Worker } from '../worker.ts'
import { type ClaimingParts, createClaiming, LOOK_EVERY_MS } from './claiming.ts'
import { type ClaimedDelivery, createDeliver } from './deliver.ts'
import { createEndpoints } from './endpoints.ts'
import type { Poster } from './post.ts'

export interface DispatchParts extends ClaimingParts {
  poster: Poster
  /** Returns a number from 0 to 1. */
  random(): number
  /** Attempts that each receiver gets in a minute at most. Optional; no limit by default. */
  perMinute?: number | undefined
  /** Called with the result of each attempt. */
  onAttempt?: (outcome: AttemptOutcome) => void
}

export interface Dispatcher extends Worker {
  /** Cuts off the attempts under way; their deliveries are due again at once, and the attempts do not count. */
  abandon(): void
  /** The same, and forgets how receivers were doing: a sandbox starts over. */
  startOver(): void
}

export function createDispatcher(parts: DispatchParts): Dispatcher {
  const { clock, poster, onFault } = parts
  const endpoints = createEndpoints(ENDPOINT_POLICY, clock.now, parts.perMinute)
  let cutOff = new AbortController()
  const claiming = createClaiming(parts, endpoints)
  const worker = createWorker<ClaimedDelivery>({
    clock,
    slots: DELIVERY_SLOTS,
    lookEveryMs: LOOK_EVERY_MS,
    claim: claiming.claim,
    run: createDeliver({ ...parts, endpoints, cutOff: () => cutOff.signal, onEnd: claiming.ended }),
    nextDue: claiming.nextDueThen,
    onFault,
  })
  return {
    ...worker,
    nextDue: claiming.nextDue,
    wake() {
      claiming.eventsCame()
      worker.wake()
    },
    abandon: () => cutOff.abort(),
    startOver() {
      cutOff.abort()
      cutOff = new AbortController()
      endpoints.forget()
    },
    async stop() {
      await worker.stop()
      await claiming.write().catch(onFault)
      poster.close()
    },
  }
}
