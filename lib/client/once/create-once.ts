/**
 * Creates the task of a document exactly once, although the interface knows no idempotency key: the intent is on the disk
 * before the POST, and after an answer that was lost the task is looked up by its externalDocId before anything is sent again.
 * It never sends while it does not know. One process per journal.
 */
import { grown, honoured, SERVICE_BACK_OFF } from '../../back-off.ts'
import { type Clock, systemClock } from '../../clock.ts'
import type { CreateTask, TaskStatus } from '../../contract/task/task.ts'
import type { Journal } from '../../journal/journal.ts'
import { createKeyLock } from '../../journal/key-lock.ts'
import { askedPauseMs } from '../asked-pause.ts'
import type { CallOptions, Client } from '../client.ts'
import { UnauthorizedError } from '../errors.ts'
import { bodyHash } from './body-hash.ts'
import { type CreateEntry, createKey } from './create-once-entry.ts'
import { createVerdict } from './create-verdict.ts'
import { type Found, findCreated } from './find-created.ts'
import { HeldError } from './held-error.ts'

export interface CreateOnceOptions {
  client: Pick<Client, 'createTask' | 'listTasks'>
  /** Must outlive the process: a file, not `:memory:`. */
  journal: Journal
  /** Whose documents these are: `serviceScope(baseUrl, apiKey)`. */
  scope: string
  /** Longer than a late commit plus the lag of the host's list; before it has passed, "not in the list" proves nothing. */
  settleMs?: number
  /** The time limit of the client's calls. */
  timeoutMs?: number
  /** Looks for a lost task, each over a settle window, before the document is held. */
  maxRounds?: number
  /** POSTs that certainly created nothing, before the last error is passed on. */
  maxAttempts?: number
  /** Looks the document up before its first POST too: for a journal that was lost. */
  looksFirst?: boolean
  clock?: Clock
  /** From 0 to 1. */
  random?: () => number
}

export interface Created {
  taskId: number
  /** As it was at the creation or adoption. Read the task for its present status. */
  status: TaskStatus
  statusReason: string | null
  /** True when the journal knew the task already: nothing was sent. */
  duplicate: boolean
  /** True when the answer had been lost and the task was found in the list. */
  adopted: boolean
}

export interface CreateOnce {
  /**
   * @throws HeldError when sending might make a second task; RefusedError, UnauthorizedError when the service said no;
   * UnreachableError, UnexpectedResponseError when it did not answer and nothing was created. Calling again is always safe.
   */
  createTask(body: CreateTask, options?: CallOptions): Promise<Created>
  /** Forgets a document, after a person has decided; it can then be sent as if for the first time. */
  forget(externalDocId: string): Promise<void>
}

/** After a 401 or 403 the key is left alone for a while, because every further call fails alike and may lock it. */
const KEY_PAUSE_MS = 30_000

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
  const lock = createKeyLock()
  let refusal: { error: UnauthorizedError; until: number } | undefined

  async function create(key: string, body: CreateTask, options: CallOptions): Promise<Created> {
    const hash = bodyHash(body)
    const known = await journal.get<CreateEntry>(key)
    const entry: CreateEntry = known ?? { state: 'new', bodyHash: hash, attempts: 0, firstAt: clock.now(), overAt: 0 }
    if (entry.state === 'created') return duplicateOf(entry, hash)
    if (entry.state === 'intent' || entry.state === 'held') {
      const adopted = await settled(key, entry, body, options)
      // What was found may have been made from what was sent before, which this body need not be.
      if (adopted && entry.bodyHash !== hash) throw new HeldError('CONTENT_DIFFERS', [adopted.taskId])
      if (adopted) return adopted
    } else if (!known && looksFirst) {
      const found = await findCreated(
        { client, externalDocId: body.document.externalDocId, since: clock.now() },
        options,
      )
      if (found.is !== 'absent') return adopt(key, entry, found)
    }
    return send(key, { ...entry, bodyHash: hash }, body, options)
  }

  /** POSTs until the service has answered; never while the outcome of an earlier POST is unknown. */
  async function send(key: string, entry: CreateEntry, body: CreateTask, options: CallOptions): Promise<Created> {
    for (let attempt = 1; ; attempt++) {
      if (refusal && clock.now() < refusal.until) throw refusal.error
      entry = { ...entry, state: 'intent', attempts: entry.attempts + 1, overAt: clock.now() + timeoutMs }
      await journal.set(key, entry)
      try {
        const task = await client.createTask({ body }, options)
        refusal = undefined
        await journal.set(key, { ...entry, state: 'created', taskId: task.taskId, status: task.status })
        return { ...task, duplicate: false, adopted: false }
      } catch (failure) {
        const verdict = createVerdict(failure)
        if (verdict === 'unknown') {
          entry = { ...entry, overAt: clock.now() }
          await journal.set(key, entry)
          options.signal?.throwIfAborted()
          const adopted = await settled(key, entry, body, options)
          if (adopted) return adopted
          await journal.set(key, { ...entry, state: 'new' })
        } else {
          await journal.set(key, { ...entry, state: verdict })
          if (failure instanceof UnauthorizedError) refusal = { error: failure, until: clock.now() + KEY_PAUSE_MS }
          if (verdict === 'refused' || failure instanceof UnauthorizedError) throw failure
        }
        if (attempt >= maxAttempts) throw failure
        if (verdict === 'new') await clock.sleep(pauseAfter(failure, attempt), options.signal)
      }
    }
  }

  /** Waits until an unknown outcome is known: the created task, or undefined when there certainly is none. */
  async function settled(
    key: string,
    entry: CreateEntry,
    body: CreateTask,
    { signal }: CallOptions,
  ): Promise<Created | undefined> {
    const look = () =>
      findCreated(
        { client, externalDocId: body.document.externalDocId, since: entry.firstAt },
        signal ? { signal } : {},
      )
    let found = await look()
    for (let round = 1; round <= maxRounds; round++) {
      let isCertain = true
      const from = round === 1 ? entry.overAt : clock.now()
      for (let part = 1; part <= 3 && (found.is === 'absent' || found.is === 'unknown'); part++) {
        await clock.sleep(Math.max(0, from + (settleMs * part) / 3 - clock.now()), signal)
        found = await look()
        isCertain &&= found.is !== 'unknown'
      }
      if (found.is !== 'absent' && found.is !== 'unknown') return adopt(key, entry, found)
      if (isCertain) return undefined
    }
    await journal.set(key, { ...entry, state: 'held' })
    throw new HeldError('OUTCOME_UNKNOWN')
  }

  async function adopt(key: string, entry: CreateEntry, found: Found): Promise<Created> {
    if (found.is === 'one') {
      const { taskId, status, statusReason } = found.task
      await journal.set(key, { ...entry, state: 'created', taskId, status })
      return { taskId, status, statusReason: statusReason ?? null, duplicate: false, adopted: true }
    }
    await journal.set(key, { ...entry, state: 'held' })
    if (found.is === 'several') throw new HeldError('SEVERAL_TASKS', found.taskIds)
    throw found.is === 'ended' ? new HeldError('TASK_ENDED', found.taskIds) : new HeldError('OUTCOME_UNKNOWN')
  }

  const pauseAfter = (failure: unknown, attempt: number): number =>
    honoured(grown(SERVICE_BACK_OFF, attempt), askedPauseMs(failure), SERVICE_BACK_OFF.longestMs, random())

  return {
    createTask: (body, options = {}) => {
      const key = createKey(scope, body.document.externalDocId)
      return lock(key, () => create(key, body, options))
    },
    forget: (externalDocId) => {
      const key = createKey(scope, externalDocId)
      return lock(key, () => journal.delete(key))
    },
  }
}

function duplicateOf({ taskId, status, bodyHash: known }: CreateEntry, hash: string): Created {
  if (known !== hash) throw new HeldError('CONTENT_DIFFERS', [taskId!])
  return { taskId: taskId!, status: status!, statusReason: null, duplicate: true, adopted: false }
}
