/** The ids of a delivery and its attempts, in the store, to operators and to the worker that makes them. */

/** `failed` after the last attempt; `cancelled` with its subscription, when that was deactivated or deleted. */
export type DeliveryState = 'waiting' | 'delivered' | 'failed' | 'cancelled'

/** Only an active subscription receives; a deleted one never will again. */
export type SubscriptionState = 'active' | 'inactive' | 'deleted'

/** Why an attempt is made: by the schedule, or because someone asked for it. */
export type AttemptTrigger = 'scheduled' | 'manual'

/** How an attempt ended. `http` is an answer that does not acknowledge the event; with the others but `delivered` none came. */
export type AttemptOutcome = 'delivered' | 'http' | 'timeout' | 'connection' | 'dns' | 'tls' | 'blocked_target'

/** How a receiver answered a test event. */
export interface TestAnswer {
  outcome: AttemptOutcome
  /** Null when no answer came. */
  status: number | null
  durationMs: number
  /** The part of the answer that may be shown; null where there is no text. */
  answer: string | null
}
