/** Finds the tasks of a document that is withdrawn: waits for the call that has claimed it, and looks for a task whose answer was lost. */
import { withSignals } from '../../clock.ts'
import type { CallOptions } from '../client.ts'
import { RefusedError } from '../errors.ts'
import { adopt } from './adopt.ts'
import { type Claim, ClaimLost, claimDocument } from './claim.ts'
import { type CreateEntry, createKey, isUntried } from './create-once-entry.ts'
import type { Creating } from './creating.ts'
import { HeldError } from './held-error.ts'
import { search } from './settle.ts'
import type { Elsewhere } from './withdrawals.ts'

/** A document that the journal may know of. */
export interface Known {
  key: string
  /** Undefined when it is known only as a document that has the withdrawn id as another one. */
  externalDocId: string | undefined
  /** Returns what other scopes know of it. */
  knownElsewhere: () => Promise<CreateEntry | undefined>
}

/**
 * Returns the ids of the tasks of the document, with those that have ended; empty when certainly nothing was created with this journal.
 * @throws HeldError OUTCOME_UNKNOWN, or the client's errors, when it cannot be known
 */
export async function knownTasks(creating: Creating, known: Known, options: CallOptions): Promise<readonly number[]> {
  const { journal } = creating
  for (;;) {
    const entry = (await journal.get<CreateEntry>(known.key)) ?? (await known.knownElsewhere())
    // A call that claims the document from now on sees the withdrawal.
    if (!entry) return []
    const claim = await claimDocument(creating, known.key, options)
    try {
      return await withSignals([claim.signal, options.signal], (signal) =>
        tasksUnderClaim(creating, claim, known, { ...options, signal }),
      )
    } catch (failure) {
      if (!(failure instanceof ClaimLost)) throw failure
    } finally {
      await claim.release()
    }
  }
}

async function tasksUnderClaim(
  creating: Creating,
  claim: Claim,
  { externalDocId, knownElsewhere }: Known,
  options: CallOptions,
): Promise<readonly number[]> {
  const entry = isUntried(claim.entry) ? ((await knownElsewhere()) ?? claim.entry) : claim.entry
  const created = entry.taskId === undefined ? [] : [entry.taskId]
  if (entry.state !== 'intent' && entry.state !== 'held') return created
  if (externalDocId === undefined) throw new HeldError('OUTCOME_UNKNOWN')
  const found = await search(creating, { entry, externalDocId }, options)
  if (found.is === 'unknown') throw found.error ?? new HeldError('OUTCOME_UNKNOWN')
  if (found.is === 'one') return [...created, (await adopt(creating, { claim, entry }, found)).taskId]
  if (found.is !== 'absent') return [...created, ...found.taskIds]
  await claim.write({ ...entry, state: 'new' })
  return created
}

/**
 * Returns the task of a document that was created under another address of the service, and is known by another id here; empty when this
 * service does not have it. A task counts only when its own document id has the journal key of the document: the same number is another
 * patient's task at another service.
 * @throws HeldError OUTCOME_UNKNOWN, or the client's errors, when it cannot be known
 */
export async function taskFromElsewhere(
  { client, journal }: Creating,
  { scope, key }: Elsewhere,
  options: CallOptions,
): Promise<readonly number[]> {
  const entry = await journal.get<CreateEntry>(key)
  if (entry === undefined || entry.state === 'new') return []
  const { taskId } = entry
  if (taskId === undefined || client.readTask === undefined) throw new HeldError('OUTCOME_UNKNOWN')
  const task = await client.readTask({ params: { id: taskId } }, options).catch((failure: unknown) => {
    if (failure instanceof RefusedError && failure.status === 404) return null
    throw failure
  })
  if (task === null) return []
  if (!task.externalDocId) throw new HeldError('OUTCOME_UNKNOWN', [taskId])
  return createKey(scope, task.externalDocId) === key ? [taskId] : []
}
