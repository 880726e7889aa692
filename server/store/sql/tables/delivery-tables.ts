/** Events, their recipients, and each attempt to deliver them. */
import type { Generated } from 'kysely'
import type { TaskStatus } from '../../../../lib/contract/task/task.ts'
import type { AttemptOutcome, AttemptTrigger, DeliveryState } from '../../../domain/delivery/attempt.ts'
import type { Sealed } from '../../sealing/cipher.ts'
import type { Flag } from '../flag.ts'

export interface DeliveryTables {
  subscription: {
    id: Generated<number>
    organizationId: number
    /** Its maker may have put a token into it. */
    sealedUrl: Sealed
    sealedDescription: Sealed | null
    sealedSecret: Sealed
    /** The secret that replaces it, until which time both are valid; null: there is one secret. */
    sealedNextSecret: Generated<Sealed | null>
    nextSecretAt: Generated<string | null>
    isActive: Flag
    /** JSON of a `Finding` with the address that it is about; null: none yet. */
    finding: Generated<string | null>
    createdAt: string
    updatedAt: string
    deletedAt: string | null
    mac: string
  }
  /** The outbox. The body is kept as the bytes that are sent, never built twice. */
  event: {
    eventId: string
    sequence: Generated<number>
    organizationId: number
    taskId: number
    status: TaskStatus
    sealedBody: Sealed
    occurredAt: string
    isFannedOut: Flag
    /** The signer, where the event says that one signed or rejected, while their history lists it; null for all other events. */
    signerNpi: string | null
    /** Who did it for the signer, while their history lists it; null where the signer did it. */
    delegateNpi: string | null
  }
  delivery: {
    id: Generated<number>
    eventId: string
    organizationId: number
    subscriptionId: number
    state: DeliveryState
    /** Attempts that ended, in all rounds. */
    attempts: number
    /** When the next attempt is due, or when the lease of the running one ends. */
    dueAt: string
    /** Who makes an attempt just now, until `dueAt`; null while none is under way. */
    lease: string | null
    /** Attempts that were made before this round. A redelivery begins a round, and with it the schedule, again. */
    roundStart: Generated<number>
    roundAt: string
    nextTrigger: Generated<AttemptTrigger>
    createdAt: string
    updatedAt: string
    /** Over its event, organization, and subscription. */
    mac: string
  }
  attempt: {
    deliveryId: number
    number: number
    trigger: AttemptTrigger
    scheduledAt: string | null
    startedAt: string
    durationMs: number
    /** Until the connection stood; null when it never did or stood already. */
    connectMs: number | null
    firstByteMs: number | null
    /** Status the receiver answered with; null when none came. */
    status: number | null
    outcome: AttemptOutcome
    /** How long the answer was, as far as it was read. */
    answerBytes: Generated<number>
    /** The beginning of the answer, of which only harmless words are kept: see `shown-answer.ts`; null where it had no text. */
    answer: string | null
    nextAt: string | null
  }
}
