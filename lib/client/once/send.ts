/** Sends a document until the service has answered; never while the outcome of an earlier POST is unknown. */
import { grown, honoured, SERVICE_BACK_OFF } from '../../back-off.ts'
import { askedPauseMs } from '../asked-pause.ts'
import type { CallOptions } from '../client.ts'
import { UnauthorizedError } from '../errors.ts'
import type { CreateEntry } from './create-once-entry.ts'
import { outcomeOfCreate } from './create-outcome.ts'
import type { Created, Creating, Submission } from './creating.ts'
import { settle } from './settle.ts'

/** After a 401 or 403 the key is left alone for a while, because every further call fails alike and may lock it. */
const KEY_PAUSE_MS = 30_000

/**
 * Returns the created task.
 * @throws HeldError when a person has to decide; the client's errors when the service said no, or after the last attempt
 */
export async function send(
  creating: Creating,
  { key, body, entry }: Submission,
  options: CallOptions,
): Promise<Created> {
  const { client, journal, clock, maxAttempts } = creating
  let sent = entry
  for (let attempt = 1; ; attempt++) {
    throwIfKeyIsRefused(creating)
    sent = await writeIntent(creating, key, sent)
    try {
      const task = await client.createTask({ body }, options)
      creating.refusal = undefined
      await journal.set(key, { ...sent, state: 'created', taskId: task.taskId, status: task.status })
      return { ...task, duplicate: false, adopted: false }
    } catch (failure) {
      const outcome = outcomeOfCreate(failure)
      if (outcome === 'unknown') {
        const adopted = await settleNow(creating, { key, body, entry: sent }, options)
        if (adopted) return adopted
      }
      await journal.set(key, { ...sent, state: outcome === 'refused' ? 'refused' : 'new' })
      if (failure instanceof UnauthorizedError) creating.refusal = { error: failure, until: clock.now() + KEY_PAUSE_MS }
      if (outcome === 'refused' || failure instanceof UnauthorizedError || attempt >= maxAttempts) throw failure
      // Settling has taken its time already.
      if (outcome === 'new') await clock.sleep(pauseAfter(failure, attempt, creating), options.signal)
    }
  }
}

function throwIfKeyIsRefused({ refusal, clock }: Creating): void {
  if (refusal && clock.now() < refusal.until) throw refusal.error
}

/** The intent is on the disk before the POST: a process that dies now leaves a document that is looked up first. */
async function writeIntent({ journal, clock, timeoutMs }: Creating, key: string, entry: CreateEntry) {
  const intent: CreateEntry = {
    ...entry,
    state: 'intent',
    attempts: entry.attempts + 1,
    overAt: clock.now() + timeoutMs,
  }
  await journal.set(key, intent)
  return intent
}

/** The call has ended, so its POST is over now, not only when its time limit runs out. */
async function settleNow(creating: Creating, { key, body, entry }: Submission, options: CallOptions) {
  const over: CreateEntry = { ...entry, overAt: creating.clock.now() }
  await creating.journal.set(key, over)
  options.signal?.throwIfAborted()
  return settle(creating, { key, body, entry: over }, options)
}

const pauseAfter = (failure: unknown, attempt: number, { random }: Creating): number =>
  honoured(grown(SERVICE_BACK_OFF, attempt), askedPauseMs(failure), SERVICE_BACK_OFF.longestMs, random())
