/**
 * Makes at most one task of a document, although the interface knows no idempotency key. A call claims the document in the
 * journal, so that of all who share it one sends; the intent is on the disk before the POST; and after an answer that was lost the
 * task is looked up by its externalDocId before anything is sent again. It never sends while it does not know.
 */
import { type Clock, systemClock } from '../../clock.ts'
import type { CreateTask } from '../../contract/task/task.ts'
import type { Journal } from '../../journal/journal.ts'
import { createKeyLock } from '../../journal/key-lock.ts'
import type { CallOptions, Client } from '../client.ts'
import { paceClient } from '../pace/pace-client.ts'
import type { Pacer } from '../pace/pacer.ts'
import { adopt } from './adopt.ts'
import { bodyHash } from './body-hash.ts'
import { type Claim, ClaimLost, claimDocument } from './claim.ts'
import { type CreateEntry, createKey } from './create-once-entry.ts'
import type { Created, Creating } from './creating.ts'
import { findCreated } from './find-created.ts'
import { HeldError } from './held-error.ts'
import { send } from './send.ts'
import { settle } from './settle.ts'

/** What creating once needs, and how patient it is. */
export interface CreateOnceOptions {
  /** Sends the creates, and looks tasks up after an answer was lost. */
  client: Pick<Client, 'createTask' | 'listTasks'>
  /** Gives each call its turn; the client itself must not be paced then. Without one, calls are sent at once. */
  pacer?: Pacer
  /**
   * Must outlive the process, and is shared by all who send the same documents: of `openJournal`, a file or the URL of a database,
   * not `:memory:`; of `keyvJournal`, one Keyv in one process.
   */
  journal: Journal
  /** Whose documents these are: `serviceScope(baseUrl, apiKey)`. The same for all who send the same documents. */
  scope: string
  /**
   * How long "not in the list" proves nothing after a lost answer: longer than a late commit plus the lag of the host's list.
   * 120,000 ms when left out.
   */
  settleMs?: number
  /** The time limit of the client, or longer; 30,000 ms when left out. A call may have a longer one of its own. */
  timeoutMs?: number
  /** Settle windows in which a lost task is looked for before the document is held; 3 when left out. */
  maxRounds?: number
  /** POSTs that certainly created nothing before the last error is passed on; 5 when left out. */
  maxAttempts?: number
  /** Looks the document up before its first POST too: for a journal that was lost. */
  looksFirst?: boolean
  /**
   * Names this process, another name at each start, and says that no other process uses the journal: a claim of another name is
   * then one of a process that has ended, and nobody waits for it.
   */
  run?: string
  /** Times the pauses and the windows; that of the system when left out. */
  clock?: Clock
  /** Returns numbers from 0 to 1. */
  random?: () => number
}

/** Creates tasks, each document once. Made by `createOnce`. */
export interface CreateOnce {
  /**
   * Returns the task of the document, which is created unless there is one already. When another call is at the document, in this
   * process or another, this one waits for it: at most 20 seconds when that process was killed, and not at all with `run`. Calling again is always safe.
   * @throws HeldError when sending might make a second task; RefusedError, UnauthorizedError when the service said no;
   * UnreachableError, UnexpectedResponseError when it did not answer and nothing was created.
   */
  createTask(body: CreateTask, options?: CallOptions): Promise<Created>
  /**
   * Forgets a document, after a person has decided; it can then be sent as if for the first time. Waits for a call that is at the
   * document.
   */
  forget(externalDocId: string, options?: CallOptions): Promise<void>
  /** Returns the type with which a document was last sent; undefined when the journal does not know. The interface does not tell it. */
  documentTypeOf(externalDocId: string): Promise<number | undefined>
  /** Returns the task that was made of a document; undefined when the journal does not know of one. A host may list it only later. */
  taskOf(externalDocId: string): Promise<number | undefined>
}

/**
 * Returns the creation of tasks that makes no second task of a document, even when the network loses answers and processes are
 * killed, for all objects and processes that share the journal. That holds as long as
 * - the journal keeps what it has acknowledged: a SQLite file on a local disk and PostgreSQL do; a Redis does with
 *   `appendfsync always`, unless it fails over to a replica; `:memory:` does until its process ends; a Keyv does as far as its
 *   store, for one process;
 * - the host has committed and lists a task within `settleMs` after its POST has ended, with an answer or without;
 * - the clocks of the machines differ by less than 5 seconds;
 * - no process is suspended in the moment of sending for longer than `timeoutMs` and `settleMs` together, and then sends.
 */
export function createOnce({
  client,
  pacer,
  journal,
  scope,
  settleMs = 120_000,
  timeoutMs = 30_000,
  maxRounds = 3,
  maxAttempts = 5,
  looksFirst = false,
  run,
  clock = systemClock,
  random = Math.random,
}: CreateOnceOptions): CreateOnce {
  const limits = { settleMs, timeoutMs, maxRounds, maxAttempts, looksFirst, run }
  const looking = pacer ? { ...client, ...paceClient({ listTasks: client.listTasks }, pacer) } : client
  const creating: Creating = { client: looking, pacer, journal, clock, random, ...limits }
  const lock = createKeyLock()
  const entryOf = (externalDocId: string) => journal.get<CreateEntry>(createKey(scope, externalDocId))
  const inTurn = <T>(externalDocId: string, work: (key: string) => Promise<T>) => {
    const key = createKey(scope, externalDocId)
    return lock(key, () => work(key))
  }
  return {
    createTask: (body, call = {}) => inTurn(body.document.externalDocId, (key) => create(creating, key, body, call)),
    forget: (externalDocId, call = {}) =>
      inTurn(externalDocId, async (key) => (await claimDocument(creating, key, call)).forget()),
    documentTypeOf: async (externalDocId) => (await entryOf(externalDocId))?.documentTypeId,
    taskOf: async (externalDocId) => (await entryOf(externalDocId))?.taskId,
  }
}

async function create(creating: Creating, key: string, body: CreateTask, options: CallOptions): Promise<Created> {
  const hash = bodyHash(body)
  for (;;) {
    const known = await creating.journal.get<CreateEntry>(key)
    if (known?.state === 'created') return duplicateOf(known, hash)
    const claim = await claimDocument(creating, key, options)
    const signals = [claim.signal, options.signal].filter((signal) => signal !== undefined)
    try {
      return await createClaimed(creating, claim, { body, hash }, { ...options, signal: AbortSignal.any(signals) })
    } catch (failure) {
      if (!(failure instanceof ClaimLost)) throw failure
    } finally {
      await claim.release()
    }
  }
}

async function createClaimed(
  creating: Creating,
  claim: Claim,
  { body, hash }: { body: CreateTask; hash: string },
  options: CallOptions,
): Promise<Created> {
  const { client, looksFirst } = creating
  const { entry } = claim
  if (entry.state === 'created') return duplicateOf(entry, hash)
  if (entry.state === 'intent' || entry.state === 'held') {
    const adopted = await settle(creating, { claim, body, entry }, options)
    // What was found may have been made from what was sent before, which this body need not be.
    if (adopted && entry.bodyHash !== hash) throw new HeldError('CONTENT_DIFFERS', [adopted.taskId])
    if (adopted) return adopted
  }
  const { documentTypeId } = body.document
  const submission = { claim, body, entry: { ...entry, bodyHash: hash, documentTypeId } }
  if (looksFirst && entry.state === 'new' && entry.attempts === 0) {
    const { externalDocId } = body.document
    const found = await findCreated({ client, externalDocId, since: entry.firstAt }, options)
    if (found.is !== 'absent') return adopt(submission, found)
  }
  return send(creating, submission, options)
}

function duplicateOf({ taskId, status, bodyHash: known }: CreateEntry, hash: string): Created {
  if (known !== hash) throw new HeldError('CONTENT_DIFFERS', [taskId!])
  return { taskId: taskId!, status: status!, statusReason: null, duplicate: true, adopted: false }
}
