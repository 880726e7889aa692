/**
 * Makes at most one task of a document, although the interface knows no idempotency key. A call claims the document in the
 * journal, so that of all who share it one sends; the intent is on the disk before the POST; and after an answer that was lost the
 * task is looked up by its externalDocId before anything is sent again. It never sends while it does not know.
 */
import { type Clock, systemClock, withSignals } from '../../clock.ts'
import type { CreateTask } from '../../contract/task/task.ts'
import type { Journal } from '../../journal/journal.ts'
import { createKeyLock } from '../../journal/key-lock.ts'
import type { CallOptions, Client } from '../client.ts'
import { paceClient } from '../pace/pace-client.ts'
import type { Pacer } from '../pace/pacer.ts'
import { adopt } from './adopt.ts'
import { bodyHash } from './body-hash.ts'
import { type Claim, ClaimLost, claimDocument, type Processes } from './claim.ts'
import { type CreateEntry, createKey, isUntried } from './create-once-entry.ts'
import type { Created, CreateOptions, Creating, Submission } from './creating.ts'
import { findCreated } from './find-created.ts'
import { HeldError } from './held-error.ts'
import { send } from './send.ts'
import { lookUp, settle } from './settle.ts'
import { knownTasks, taskFromElsewhere } from './withdraw.ts'
import { createWithdrawals, type Withdrawals } from './withdrawals.ts'

/** Options of create-once: its journal, its client and its timeouts. */
export interface CreateOnceOptions {
  /**
   * Sends the creates, and looks tasks up after an answer was lost. Without `readTask`, a document that another scope knows by the id
   * that is withdrawn makes the withdrawal fail with OUTCOME_UNKNOWN.
   */
  client: Pick<Client, 'createTask' | 'listTasks'> & Partial<Pick<Client, 'readTask'>>
  /** Gives each call its turn; the client itself must not be paced then. Without one, calls are sent at once. */
  pacer?: Pacer
  /**
   * Must outlive the process, and is shared by all who send the same documents: of `openJournal`, a file or the URL of a database,
   * not `:memory:`; of `keyvJournal`, one Keyv in one process.
   */
  journal: Journal
  /** The owner of the documents: `serviceScope(baseUrl, apiKey)`. The same for all who send the same documents. */
  scope: string
  /**
   * Optional; names the key, for a scope that several keys share. A task that was created with another key counts when this key sees
   * it; when it does not, the document is held as OTHER_KEY.
   */
  sender?: string
  /**
   * Optional; returns scopes that may name the same service by another address. A document that is known there is looked up before it
   * is sent.
   */
  otherScopes?: () => Promise<readonly string[]>
  /**
   * How long "not in the list" proves nothing after a lost answer: longer than a late commit plus the lag of the host's list.
   * Optional; 120,000 ms by default.
   */
  settleMs?: number
  /** The time limit of the client, or longer. Optional; 30,000 ms by default. A call may have a longer one of its own. */
  timeoutMs?: number
  /** Settle windows in which a lost task is looked for before the document is held. Optional; 3 by default. */
  maxRounds?: number
  /** POSTs that certainly created nothing before the last error is passed on. Optional; 5 by default. */
  maxAttempts?: number
  /** Looks the document up before its first POST too: for a journal that was lost. */
  looksFirst?: boolean
  /**
   * Names this process, another name at each start, and says that no other process uses the journal: a claim of another name is
   * then one of a process that has ended, and no one waits for it.
   */
  run?: string
  /**
   * Optional, and instead of `run`: says which of the processes that share the journal live. The claim of one that has ended is taken over
   * at once.
   */
  processes?: Processes
  /** Times the pauses and the windows. Optional; that of the system by default. */
  clock?: Clock
  /** Returns numbers from 0 to 1. */
  random?: () => number
}

/** Creates tasks, each document once. Made by `createOnce`. */
export interface CreateOnce {
  /**
   * Returns the task of the document, which is created unless there is one already. When another call is at the document, in this
   * process or another, this one waits for it: at most 20 seconds when that process was killed, and not at all with `run`. Calling again is always safe.
   * @throws HeldError when sending might make a second task, or when the document was withdrawn; RefusedError, UnauthorizedError when the service said no;
   * UnreachableError, UnexpectedResponseError when it did not answer and nothing was created.
   */
  createTask(body: CreateTask, options?: CreateOptions): Promise<Created>
  /**
   * Withdraws a document, whether it was sent or not: from now on nothing is sent under any of its ids, in any process that shares the
   * journal, until a person lifts the withdrawal. It is kept as long as the journal. Waits for a call that is at the document, looks for
   * a task whose answer was lost, and returns what was created, which the caller retracts. Calling again is always safe.
   * @throws HeldError OUTCOME_UNKNOWN, or the client's errors, when it cannot be known whether there is a task; nothing is sent all the same
   */
  withdraw(externalDocId: string, options?: WithdrawOptions): Promise<Withdrawn>
  /** Whether the journal knows of the document: that it was created, is being created or was withdrawn. */
  knows(externalDocId: string): Promise<boolean>
  /**
   * Lets a document be sent again, after a person has decided. A withdrawal of one of these ids that is later than `withdrawnAt`, the
   * property of the error that the person has seen, stays.
   */
  liftWithdrawal(ids: readonly string[], withdrawnAt: number): Promise<void>
  /**
   * Forgets a document and its withdrawal, after a person has decided; it can then be sent as if for the first time. Waits for a call
   * that is at the document.
   */
  forget(externalDocId: string, options?: CallOptions): Promise<void>
  /** Returns the type with which a document was last sent; undefined when the journal does not know. The interface does not tell it. */
  documentTypeOf(externalDocId: string): Promise<number | undefined>
  /** Returns the task that was made of a document; undefined when the journal does not know of one. A host may list it only later. */
  taskOf(externalDocId: string): Promise<number | undefined>
}

/** The options of a withdrawal. */
export interface WithdrawOptions extends CallOptions {
  /** Optional; other ids of the document. Each is withdrawn, too. */
  aliases?: readonly string[]
  /** Optional; a document that stays, although one of the ids is another id of it: the one that replaces what is withdrawn. */
  except?: string | undefined
}

/** A document that is not sent any more. */
export interface Withdrawn {
  /** Milliseconds since 1970. */
  withdrawnAt: number
  /** The tasks that were created of it with this journal, with those that have ended; empty when it was never sent. */
  taskIds: readonly number[]
}

/**
 * Returns the creation of tasks that makes no second task of a document, and none after its withdrawal, even when the network loses
 * answers and processes are killed, for all objects and processes that share the journal. That holds as long as
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
  sender,
  otherScopes = async () => [],
  settleMs = 120_000,
  timeoutMs = 30_000,
  maxRounds = 3,
  maxAttempts = 5,
  looksFirst = false,
  run,
  processes,
  clock = systemClock,
  random = Math.random,
}: CreateOnceOptions): CreateOnce {
  const limits = { settleMs, timeoutMs, maxRounds, maxAttempts, looksFirst, run, processes, sender }
  const { createTask: _, ...reads } = client
  const looking = pacer ? { ...client, ...paceClient(reads, pacer) } : client
  const creating: Creating = { client: looking, pacer, journal, clock, random, ...limits }
  const lock = createKeyLock()
  const entryIn = (one: string, externalDocId: string) => journal.get<CreateEntry>(createKey(one, externalDocId))
  const entryOf = (externalDocId: string) => entryIn(scope, externalDocId)
  /** Returns what is known of a document of which this scope knows nothing; undefined when nothing is. */
  async function knownElsewhere(externalDocId: string): Promise<CreateEntry | undefined> {
    const entries = await Promise.all((await otherScopes()).map((one) => entryIn(one, externalDocId)))
    return asIntent(entries.filter((entry) => entry !== undefined))
  }
  const withdrawals = createWithdrawals({ journal, clock, scope, otherScopes })
  const keyOf = (externalDocId: string) => createKey(scope, externalDocId)
  return {
    createTask: (body, call = {}) => {
      const key = keyOf(body.document.externalDocId)
      return lock(key, () => create(creating, { key, body, knownElsewhere, withdrawals }, call))
    },
    async withdraw(externalDocId, { aliases = [], except, ...call } = {}) {
      const ids = [...new Set([externalDocId, ...aliases])]
      const kept = except === undefined ? undefined : keyOf(except)
      const { withdrawnAt, documents, elsewhere } = await withdrawals.add(ids)
      const documentIds = new Map<string, string | undefined>([
        ...documents.filter((key) => key !== kept).map((key) => [key, undefined] as const),
        ...ids.map((id) => [keyOf(id), id] as const),
      ])
      const taskIds = new Set<number>()
      for (const [key, id] of documentIds) {
        const elsewhere = async () => (id === undefined ? undefined : knownElsewhere(id))
        const known = { key, externalDocId: id, knownElsewhere: elsewhere }
        for (const taskId of await lock(key, () => knownTasks(creating, known, call))) taskIds.add(taskId)
      }
      for (const other of elsewhere)
        if (except === undefined || other.key !== createKey(other.scope, except))
          for (const taskId of await taskFromElsewhere(creating, other, call)) taskIds.add(taskId)
      return { withdrawnAt, taskIds: [...taskIds] }
    },
    knows: async (externalDocId) =>
      (await entryOf(externalDocId)) !== undefined || (await withdrawals.isWithdrawn(externalDocId)),
    liftWithdrawal: (ids, withdrawnAt) => withdrawals.lift(ids, withdrawnAt),
    forget: (externalDocId, call = {}) => {
      const key = keyOf(externalDocId)
      return lock(key, async () => {
        const claim = await claimDocument(creating, key, call)
        await withdrawals.lift([externalDocId], Number.POSITIVE_INFINITY)
        await claim.forget()
      })
    },
    documentTypeOf: async (externalDocId) => (await entryOf(externalDocId))?.documentTypeId,
    taskOf: async (externalDocId) => (await entryOf(externalDocId))?.taskId,
  }
}

interface Wanted {
  key: string
  body: CreateTask
  knownElsewhere: (externalDocId: string) => Promise<CreateEntry | undefined>
  withdrawals: Withdrawals
}

async function create(
  creating: Creating,
  { key, body, knownElsewhere, withdrawals }: Wanted,
  options: CreateOptions,
): Promise<Created> {
  const hash = bodyHash(body)
  const { aliases = [], replaces = [] } = options
  const { externalDocId } = body.document
  const ids = [externalDocId, ...aliases.filter((id) => !replaces.includes(id))]
  // Before the document is claimed: a withdrawal of one of them finds the document from now on, or is found before the POST.
  await withdrawals.link(aliases, key)
  const checkWithdrawal = () => withdrawals.check(ids)
  for (;;) {
    const known = await creating.journal.get<CreateEntry>(key)
    if (known?.state === 'created' && isOwn(creating, known)) return duplicateOf(known, hash)
    const claim = await claimDocument(creating, key, options)
    try {
      return await withSignals([claim.signal, options.signal], (signal) =>
        createClaimed(creating, claim, { body, hash, knownElsewhere, checkWithdrawal }, { ...options, signal }),
      )
    } catch (failure) {
      if (!(failure instanceof ClaimLost)) throw failure
    } finally {
      await claim.release()
    }
  }
}

interface Sending extends Pick<Wanted, 'body' | 'knownElsewhere'>, Pick<Submission, 'checkWithdrawal'> {
  hash: string
}

async function createClaimed(
  creating: Creating,
  claim: Claim,
  { body, hash, knownElsewhere, checkWithdrawal }: Sending,
  options: CreateOptions,
): Promise<Created> {
  const { client, looksFirst } = creating
  const { externalDocId } = body.document
  let entry = claim.entry
  if (isUntried(entry)) entry = (await knownElsewhere(externalDocId)) ?? entry
  if (entry.state === 'created') {
    const known = await confirmed(creating, { claim, body, entry }, options)
    if (known) return duplicateOf(known, hash)
    entry = { ...entry, state: 'new' }
  }
  if (entry.state === 'intent' || entry.state === 'held') {
    const adopted = await settle(creating, { claim, body, entry }, options)
    // The task found may have been created from an earlier body, which can differ from this one.
    if (adopted && entry.bodyHash !== hash) throw new HeldError('CONTENT_DIFFERS', [adopted.taskId])
    if (adopted) return adopted
    // A withdrawal by another id cannot look for the document, so it has to find this here.
    entry = { ...entry, state: 'new' }
    await claim.write(entry)
  }
  const { documentTypeId } = body.document
  const submission = { claim, body, checkWithdrawal, entry: { ...entry, bodyHash: hash, documentTypeId } }
  if ((looksFirst || options.isDecided) && isUntried(entry)) {
    const found = await findCreated({ client, externalDocId, since: entry.firstAt }, options)
    // Nothing was sent yet, so the next call can look again.
    if (found.is === 'unknown') throw found.error ?? new HeldError('OUTCOME_UNKNOWN')
    if (found.is !== 'absent') return adopt(creating, submission, found)
  }
  return send(creating, submission, options)
}

const isOwn = ({ sender }: Creating, entry: CreateEntry): boolean =>
  sender === undefined || entry.sender === undefined || entry.sender === sender

/**
 * Returns the entry of a task that this key has created or sees; undefined when a person has decided to send the document although
 * the key does not see the task.
 * @throws HeldError when a person has to decide
 */
async function confirmed(
  creating: Creating,
  { claim, body, entry }: Pick<Submission, 'claim' | 'body' | 'entry'>,
  options: CreateOptions,
): Promise<CreateEntry | undefined> {
  const { sender } = creating
  if (isOwn(creating, entry)) {
    await claim.write(entry)
    return entry
  }
  const found = await lookUp(creating, { body, entry }, options)
  if (found.is === 'unknown') throw found.error ?? new HeldError('OUTCOME_UNKNOWN')
  if (found.is === 'several') throw new HeldError('SEVERAL_TASKS', found.taskIds)
  const isSeen = found.is === 'one' || (found.is === 'ended' && found.taskIds.includes(entry.taskId!))
  if (isSeen) {
    const task = found.is === 'one' ? { taskId: found.task.taskId, status: found.task.status } : {}
    const known: CreateEntry = { ...entry, ...task, ...(sender !== undefined && { sender }) }
    await claim.write(known)
    return known
  }
  if (options.isDecided) return undefined
  throw new HeldError('OTHER_KEY', [entry.taskId!])
}

/** Returns one entry that has the document looked up before it is sent; undefined when none of them may have a task. */
function asIntent(entries: readonly CreateEntry[]): CreateEntry | undefined {
  const uncertain = entries.filter(({ state }) => ['intent', 'held', 'created'].includes(state))
  const latest = uncertain.toSorted((a, b) => b.overAt - a.overAt)[0]
  if (!latest) return undefined
  const { bodyHash, overAt } = latest
  return {
    state: 'intent',
    bodyHash,
    attempts: 0,
    firstAt: Math.min(...uncertain.map(({ firstAt }) => firstAt)),
    overAt,
  }
}

function duplicateOf({ taskId, status, bodyHash: known }: CreateEntry, hash: string): Created {
  if (known !== hash) throw new HeldError('CONTENT_DIFFERS', [taskId!])
  return { taskId: taskId!, status: status!, statusReason: null, duplicate: true, adopted: false }
}
