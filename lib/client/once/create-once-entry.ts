/** The journal entry of create-once: hashes, ids, states and times; no id that a sender gave, and no content. */
import { createHash } from 'node:crypto'
import type { TaskStatus } from '../../contract/task/task.ts'

export interface CreateEntry {
  /**
   * `new`: certainly not created. `intent`: sent or about to be sent, outcome unknown. `created`: there is a task.
   * `refused`: the service said no. `held`: outcome unknown, and a person has to look.
   */
  state: 'new' | 'intent' | 'created' | 'refused' | 'held'
  /** The hash of the body that was sent last; empty before the first POST. */
  bodyHash: string
  /** POSTs so far. */
  attempts: number
  /** When the document was first tried, milliseconds since 1970. */
  firstAt: number
  /** The time from which the last POST can no longer be under way. Unknown outcomes settle from here. */
  overAt: number
  taskId?: number
  /** The type of the body that was sent last; omitted before the first POST, and by versions that did not note it. */
  documentTypeId?: number
  /** The status as it was when the task was created or adopted. */
  status?: TaskStatus
  /** Names the key with which the task was created or last seen. An entry without it belongs to the key that reads it. */
  sender?: string
  /** Who is at the document, and alone may send it. */
  claim?: Lease
}

export interface Lease {
  /** The id of the call, after the name of its process where that has one. */
  by: string
  /** Milliseconds since 1970. */
  until: number
  /** How long a POST of the call may take. */
  timeoutMs: number
  /** True until the call has written an intent: no POST of it has begun. */
  isUnsent?: boolean
}

/** The time and run by which claims of other processes are judged. */
export interface Judging {
  /** Milliseconds since 1970. */
  now: number
  /** The name of the process when it has the journal to itself: a claim that does not begin with it is of one that has ended. */
  run: string | undefined
}

/** Whether no one is at the document. The claim of a process that was killed ends at its `until`, or with the process. */
export const isClaimable = (entry: CreateEntry | undefined, judging: Judging): boolean =>
  !entry?.claim || entry.claim.until <= judging.now || isOfEarlierRun(entry.claim, judging)

/**
 * Returns the entry under a new claim. A POST of a claim that has run out may have begun until its very end, and one of a process that
 * has ended is over.
 */
export function claimed(entry: CreateEntry | undefined, claim: Lease, judging: Judging): CreateEntry {
  const { now } = judging
  const known: CreateEntry = entry ?? { state: 'new', bodyHash: '', attempts: 0, firstAt: now, overAt: 0 }
  if (!known.claim) return { ...known, claim }
  if (isOfEarlierRun(known.claim, judging)) return { ...known, overAt: Math.min(known.overAt, now), claim }
  return { ...known, overAt: overAt(known, known.claim, known.claim.until), claim }
}

/**
 * Returns the entry under a new claim, in the place of the claim of a process that has lost its lease. It may be slow and not dead, so
 * a POST that it has begun until then may still be under way.
 */
export const claimedFromEnded = (known: CreateEntry & { claim: Lease }, claim: Lease, now: number): CreateEntry => ({
  ...known,
  overAt: overAt(known, known.claim, now),
  claim,
})

const overAt = (entry: CreateEntry, { isUnsent, timeoutMs }: Lease, end: number): number =>
  isUnsent ? entry.overAt : Math.max(entry.overAt, end + timeoutMs)

const isOfEarlierRun = ({ by }: Lease, { run }: Judging): boolean => run !== undefined && !by.startsWith(`${run}/`)

/** Returns the name of the process in the id of a claim; undefined when the claim does not name one. */
export const runOf = ({ by }: Lease): string | undefined =>
  by.includes('/') ? by.slice(0, by.indexOf('/')) : undefined

export const withoutClaim = ({ claim: _, ...entry }: CreateEntry): CreateEntry => entry

/** The key of a document under a service and key (`serviceScope`). A hash, because senders' ids can identify patients. */
export const createKey = (scope: string, externalDocId: string): string =>
  createHash('sha256').update(`${scope}\n${externalDocId}`).digest('hex')

export const isUntried = ({ state, attempts }: CreateEntry): boolean => state === 'new' && attempts === 0
