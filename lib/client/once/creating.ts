/** Types that the steps of create-once share. */
import type { Clock } from '../../clock.ts'
import type { CreateTask, TaskStatus } from '../../contract/task/task.ts'
import type { Journal } from '../../journal/journal.ts'
import type { CallOptions, Client } from '../client.ts'
import type { UnauthorizedError } from '../errors.ts'
import type { Pacer } from '../pace/pacer.ts'
import type { Claim, Processes } from './claim.ts'
import type { CreateEntry } from './create-once-entry.ts'

/** The calls of a client that create-once makes. */
export type CreatingClient = Pick<Client, 'createTask' | 'listTasks'> & Partial<Pick<Client, 'readTask'>>

/** State shared by all creates. */
export interface Creating {
  readonly client: CreatingClient
  /** Gives each POST its turn, and the intent is written only then; without one, a POST is sent at once. */
  readonly pacer: Pacer | undefined
  readonly journal: Journal
  readonly settleMs: number
  readonly timeoutMs: number
  readonly maxRounds: number
  readonly maxAttempts: number
  readonly looksFirst: boolean
  readonly sender: string | undefined
  readonly run: string | undefined
  readonly processes: Processes | undefined
  readonly clock: Clock
  readonly random: () => number
  /** How the service refused the key the last time, and until when nothing is sent with it. */
  refusal?: { error: UnauthorizedError; until: number } | undefined
}

/** The options of one create. */
export interface CreateOptions extends CallOptions {
  /**
   * A person has decided to send the document. It is looked up before its first POST, and a task that another key has created and
   * this key does not see does not hold it any more.
   */
  isDecided?: boolean
  /** Optional; other ids of the document. A withdrawal that names one of them counts, now and later. */
  aliases?: readonly string[]
  /** Optional; the ids that this document takes over from the one that it replaces. A withdrawal of one of them does not count. */
  replaces?: readonly string[]
  /** Called with each error that is followed by another try or another look, before the delay. */
  onRetry?: (error: unknown) => void
}

/** A document whose task is to be created. */
export interface Submission {
  /** Called before each POST. @throws HeldError when the document is withdrawn */
  checkWithdrawal: () => Promise<void>
  /** The claim that allows it to be sent. */
  claim: Claim
  body: CreateTask
  /** The journal's entry of it. */
  entry: CreateEntry
}

/** A task that exists, as `createTask` of create-once answers. */
export interface Created {
  /** The id by which the service knows the task. */
  taskId: number
  /** The status when the task was created or found. Read the task for its present status. */
  status: TaskStatus
  /** Why the task is in this status; null when the service did not say, and for one that the journal knew. */
  statusReason: string | null
  /** True when the journal knew the task already: nothing was sent. */
  duplicate: boolean
  /** True when the answer had been lost and the task was found in the list. */
  adopted: boolean
}
