/** Sends a document until the service has answered; never while the outcome of an earlier POST is unknown. */
import { grown, honoured, SERVICE_BACK_OFF } from '../../back-off.ts'
import { askedPauseMs } from '../asked-pause.ts'
import { UnauthorizedError } from '../errors.ts'
import type { Claim } from './claim.ts'
import type { CreateEntry } from './create-once-entry.ts'
import { outcomeOfCreate } from './create-outcome.ts'
import type { Created, CreateOptions, Creating, Submission } from './creating.ts'
import { settle } from './settle.ts'

/** After a 401 or 403 the key is left alone for a while, because every further call fails alike and may lock it. */
const KEY_PAUSE_MS = 30_000

/** After a 503 there may be a task, so create-once has to look before it sends again. */
const POST = { operation: 'createTask', isRepeatable: false } as const

/**
 * Returns the created task.
 * @throws HeldError when a person has to decide; the client's errors when the service said no, or after the last attempt
 */
export async function send(
  creating: Creating,
  { claim, body, entry, checkWithdrawal }: Submission,
  options: CreateOptions,
): Promise<Created> {
  const { client, pacer, clock, maxAttempts, sender } = creating
  let sent = entry
  const post = async () => {
    throwIfKeyIsRefused(creating)
    await checkWithdrawal()
    sent = await writeIntent(creating, claim, sent)
    return client.createTask({ body }, options)
  }
  for (let attempt = 1; ; attempt++) {
    const known = sent
    const { task, failure } = await answerOf(pacer ? pacer.run(post, { ...POST, signal: options.signal }) : post())
    if (task) {
      creating.refusal = undefined
      await claim.conclude({
        ...sent,
        state: 'created',
        overAt: clock.now(),
        taskId: task.taskId,
        status: task.status,
        ...(sender !== undefined && { sender }),
      })
      return { ...task, duplicate: false, adopted: false }
    }
    // Its turn has not come, so what the journal says still holds.
    if (sent === known) throw failure
    const outcome = outcomeOfCreate(failure)
    if (outcome === 'unknown') {
      options.onRetry?.(failure)
      const adopted = await settleNow(creating, { claim, body, entry: sent, checkWithdrawal }, options)
      if (adopted) return adopted
    }
    if (failure instanceof UnauthorizedError) creating.refusal = { error: failure, until: clock.now() + KEY_PAUSE_MS }
    await claim.write({ ...sent, state: outcome === 'refused' ? 'refused' : 'new' })
    if (outcome === 'refused' || failure instanceof UnauthorizedError || attempt >= maxAttempts) throw failure
    // Settling has taken its time already.
    if (outcome !== 'new') continue
    options.onRetry?.(failure)
    await clock.sleep(pauseAfter(failure, attempt, creating), options.signal)
  }
}

const answerOf = <T>(call: Promise<T>): Promise<{ task?: T; failure?: unknown }> =>
  call.then(
    (task) => ({ task }),
    (failure: unknown) => ({ failure }),
  )

function throwIfKeyIsRefused({ refusal, clock }: Creating): void {
  if (refusal && clock.now() < refusal.until) throw refusal.error
}

/** The intent is on the disk before the POST: a process that dies now leaves a document that is looked up first. */
async function writeIntent({ clock, timeoutMs }: Creating, claim: Claim, entry: CreateEntry) {
  const intent: CreateEntry = {
    ...entry,
    state: 'intent',
    attempts: entry.attempts + 1,
    overAt: clock.now() + timeoutMs,
  }
  await claim.write(intent)
  return intent
}

/** The call has ended, so its POST is over now, not only when its time limit runs out. */
async function settleNow(creating: Creating, submission: Submission, options: CreateOptions) {
  const over: CreateEntry = { ...submission.entry, overAt: creating.clock.now() }
  await submission.claim.write(over)
  options.signal?.throwIfAborted()
  return settle(creating, { ...submission, entry: over }, options)
}

const pauseAfter = (failure: unknown, attempt: number, { random }: Creating): number =>
  honoured(grown(SERVICE_BACK_OFF, attempt), askedPauseMs(failure), SERVICE_BACK_OFF.longestMs, random())
