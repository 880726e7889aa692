/**
 * Creates the task of a document exactly once, although the interface knows no idempotency key: the intent is on the disk
 * before the POST, and after an answer that was lost the task is looked up by its externalDocId before anything is sent again.
 * It never sends while it does not know. One process per journal.
 */
import { type Clock, systemClock } from '../../clock.ts'
import type { CreateTask } from '../../contract/task/task.ts'
import type { Journal } from '../../journal/journal.ts'
import { createKeyLock } from '../../journal/key-lock.ts'
import type { CallOptions, Client } from '../client.ts'
import { adopt } from './adopt.ts'
import { bodyHash } from './body-hash.ts'
import { type CreateEntry, createKey } from './create-once-entry.ts'
import type { Created, Creating } from './creating.ts'
import { findCreated } from './find-created.ts'
import { HeldError } from './held-error.ts'
import { send } from './send.ts'
import { settle } from './settle.ts'

/** What creating once needs, and how patient it is. */
export interface CreateOnceOptions {
  client: Pick<Client, 'createTask' | 'listTasks'>
  /** Must outlive the process: a file, not `:memory:`. */
  journal: Journal
  /** Whose documents these are: `serviceScope(baseUrl, apiKey)`. */
  scope: string
  /**
   * How long "not in the list" proves nothing after a lost answer: longer than a late commit plus the lag of the host's list.
   * 120,000 ms when left out.
   */
  settleMs?: number
  /** The time limit of the client's calls; 30,000 ms when left out. */
  timeoutMs?: number
  /** Settle windows in which a lost task is looked for before the document is held; 3 when left out. */
  maxRounds?: number
  /** POSTs that certainly created nothing before the last error is passed on; 5 when left out. */
  maxAttempts?: number
  /** Looks the document up before its first POST too: for a journal that was lost. */
  looksFirst?: boolean
  clock?: Clock
  /** Returns numbers from 0 to 1. */
  random?: () => number
}

/** Creates tasks, each document once. Made by `createOnce`. */
export interface CreateOnce {
  /**
   * Returns the task of the document, which is created unless there is one already. Calling again is always safe.
   * @throws HeldError when sending might make a second task; RefusedError, UnauthorizedError when the service said no;
   * UnreachableError, UnexpectedResponseError when it did not answer and nothing was created.
   */
  createTask(body: CreateTask, options?: CallOptions): Promise<Created>
  /** Forgets a document, after a person has decided; it can then be sent as if for the first time. */
  forget(externalDocId: string): Promise<void>
}

/** Returns what creates each document once, whatever the network does. It sends nothing by itself. */
export function createOnce({
  client,
  journal,
  scope,
  settleMs = 120_000,
  timeoutMs = 30_000,
  maxRounds = 3,
  maxAttempts = 5,
  looksFirst = false,
  clock = systemClock,
  random = Math.random,
}: CreateOnceOptions): CreateOnce {
  const creating: Creating = { client, journal, settleMs, timeoutMs, maxRounds, maxAttempts, looksFirst, clock, random }
  const lock = createKeyLock()
  const inTurn = <T>(externalDocId: string, work: (key: string) => Promise<T>) => {
    const key = createKey(scope, externalDocId)
    return lock(key, () => work(key))
  }
  return {
    createTask: (body, call = {}) => inTurn(body.document.externalDocId, (key) => create(creating, key, body, call)),
    forget: (externalDocId) => inTurn(externalDocId, (key) => journal.delete(key)),
  }
}

async function create(creating: Creating, key: string, body: CreateTask, options: CallOptions): Promise<Created> {
  const { client, journal, clock, looksFirst } = creating
  const hash = bodyHash(body)
  const known = await journal.get<CreateEntry>(key)
  const entry: CreateEntry = known ?? { state: 'new', bodyHash: hash, attempts: 0, firstAt: clock.now(), overAt: 0 }
  const submission = { key, body, entry }
  if (entry.state === 'created') return duplicateOf(entry, hash)
  if (entry.state === 'intent' || entry.state === 'held') {
    const adopted = await settle(creating, submission, options)
    // What was found may have been made from what was sent before, which this body need not be.
    if (adopted && entry.bodyHash !== hash) throw new HeldError('CONTENT_DIFFERS', [adopted.taskId])
    if (adopted) return adopted
  } else if (!known && looksFirst) {
    const { externalDocId } = body.document
    const found = await findCreated({ client, externalDocId, since: entry.firstAt }, options)
    if (found.is !== 'absent') return adopt(creating, submission, found)
  }
  return send(creating, { ...submission, entry: { ...entry, bodyHash: hash } }, options)
}

function duplicateOf({ taskId, status, bodyHash: known }: CreateEntry, hash: string): Created {
  if (known !== hash) throw new HeldError('CONTENT_DIFFERS', [taskId!])
  return { taskId: taskId!, status: status!, statusReason: null, duplicate: true, adopted: false }
}
