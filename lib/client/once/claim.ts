/**
 * The claim of one call on a document: of all calls that share the journal, one at a time may send it. It is renewed as long as
 * the call lasts; that of a process that was killed ends by itself.
 */
import { randomUUID } from 'node:crypto'
import { type BackOff, grown } from '../../back-off.ts'
import type { CallOptions } from '../client.ts'
import {
  type CreateEntry,
  claimed,
  claimedFromEnded,
  isClaimable,
  type Lease,
  runOf,
  withoutClaim,
} from './create-once-entry.ts'
import type { Creating } from './creating.ts'
import { HeldError } from './held-error.ts'

export interface Claim {
  /** The journal's entry of the document, without the claim itself. */
  readonly entry: CreateEntry
  /** Aborted with a ClaimLost when others may claim the document: nothing may be sent any more. */
  readonly signal: AbortSignal
  /** Writes the entry. @throws ClaimLost, and writes nothing, when others may have claimed the document */
  write(entry: CreateEntry): Promise<void>
  /**
   * Writes that there is a task, and ends the claim. A task is a fact, so it is written although the claim was lost.
   * @throws HeldError when the journal knows another task
   */
  conclude(entry: CreateEntry): Promise<void>
  /** Makes the document unknown, and ends the claim. */
  forget(): Promise<void>
  /** Ends the claim unless it has ended; the entry stays. Never rejects. */
  release(): Promise<void>
}

/** Which of the processes that share a journal live. */
export interface Processes {
  /** Names this process, another name at each start. It has no slash. */
  readonly run: string
  /** Whether this process has its lease. Without it, others may act in its place, so it sends nothing. */
  readonly isLeased: boolean
  /**
   * Writes `next` in the place of `known`, in one step, if the entry is still the same and the process `run` has no lease. Returns whether
   * it was written.
   */
  replaceOfEnded(key: string, known: unknown, next: unknown, run: string): Promise<boolean>
}

/** The call starts again: another one may be at the document by now, or have a task for it. */
export class ClaimLost extends Error {}

const LEASE_MS = 20_000
/**
 * A claim is not relied on in the last part of its lease, because the clocks of two machines differ. At least two renewals may
 * fail before.
 */
const RENEW_MS = 5_000
const WAIT: BackOff = { firstMs: 200, longestMs: 5_000 }

/** Waits until no one else is at the document. Rejects with the reason of the signal when that comes first. */
export async function claimDocument(creating: Creating, key: string, options: CallOptions): Promise<Claim> {
  const { journal, clock, processes } = creating
  const run = processes?.run ?? creating.run
  const { signal } = options
  const timeoutMs = Math.max(creating.timeoutMs, options.timeoutMs ?? 0)
  const by = run === undefined ? randomUUID() : `${run}/${randomUUID()}`
  for (let tries = 1; ; tries++) {
    signal?.throwIfAborted()
    if (processes && !processes.isLeased) {
      await clock.sleep(grown(WAIT, tries), signal)
      continue
    }
    const now = clock.now()
    const lease = { by, until: now + LEASE_MS, timeoutMs, isUnsent: true }
    // In a shared journal, the database judges whether another process has ended.
    const judging = { now, run: processes ? undefined : run }
    const known = await journal.change<CreateEntry>(key, (was) =>
      isClaimable(was, judging) ? claimed(was, lease, judging) : undefined,
    )
    if (isClaimable(known, judging)) return renewed(creating, key, claimed(known, lease, judging), lease)
    const left = known as CreateEntry & { claim: Lease }
    const next = claimedFromEnded(left, lease, now)
    const owner = runOf(left.claim)
    if (owner !== undefined && (await processes?.replaceOfEnded(key, left, next, owner)))
      return renewed(creating, key, next, lease)
    await clock.sleep(Math.min(grown(WAIT, tries), left.claim.until - now), signal)
  }
}

function renewed({ journal, clock, processes }: Creating, key: string, entry: CreateEntry, lease: Lease): Claim {
  const { by, timeoutMs } = lease
  let { until, isUnsent = false } = lease
  let cancel = () => {}
  const loss = new AbortController()
  const isMine = (was?: CreateEntry) => was?.claim?.by === by
  const isReliable = () => clock.now() < until - RENEW_MS && processes?.isLeased !== false

  function lose(): never {
    cancel()
    loss.abort(new ClaimLost())
    throw loss.signal.reason
  }

  /** Changes the entry while the claim lasts, and makes it last longer. */
  async function change(next: (was: CreateEntry) => CreateEntry) {
    if (!isReliable()) lose()
    const claim = { by, until: clock.now() + LEASE_MS, timeoutMs, ...(isUnsent && { isUnsent }) }
    const was = await journal.change<CreateEntry>(key, (is) => (is && isMine(is) ? { ...next(is), claim } : undefined))
    if (!isMine(was)) lose()
    until = Math.max(until, claim.until)
    // The process may have been suspended in the meantime.
    if (!isReliable()) lose()
  }

  function renew() {
    cancel = clock.after(RENEW_MS, () => {
      renew()
      // A journal that fails may be back before the lease ends; when it is not, the claim is lost.
      change((was) => was).catch(() => {})
    })
  }
  renew()

  return {
    entry: withoutClaim(entry),
    signal: loss.signal,
    write(next) {
      if (next.state === 'intent') isUnsent = false
      return change(() => next)
    },
    async conclude(next) {
      const was = await journal.change<CreateEntry>(key, (is) => (is?.state === 'created' ? undefined : next))
      cancel()
      if (was?.state === 'created' && was.taskId !== next.taskId)
        throw new HeldError('SEVERAL_TASKS', [was.taskId!, next.taskId!])
    },
    async forget() {
      cancel()
      await journal.delete(key)
    },
    async release() {
      cancel()
      const given = (is?: CreateEntry) => (is && isMine(is) ? withoutClaim(is) : undefined)
      // Where the journal does not take it, the lease ends by itself.
      await journal.change<CreateEntry>(key, given).catch(() => {})
    },
  }
}
