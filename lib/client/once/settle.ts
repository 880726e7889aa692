/** Finds out what became of a POST whose answer was lost: looks for its task until it is there, or certainly is not. */
import { adopt } from './adopt.ts'
import type { CreateEntry } from './create-once-entry.ts'
import type { Created, CreateOptions, Creating, Submission } from './creating.ts'
import { type Found, findCreated } from './find-created.ts'

/** Looks in each settle window: an answer that comes early ends the wait early. */
const LOOKS = 3

/**
 * Returns the created task, or undefined when there certainly is none.
 * @throws HeldError when a person has to decide
 */
export async function settle(
  creating: Creating,
  { claim, body, entry }: Pick<Submission, 'claim' | 'body' | 'entry'>,
  options: CreateOptions,
): Promise<Created | undefined> {
  const { externalDocId } = body.document
  const found = await search(creating, { entry, externalDocId }, options)
  return found.is === 'absent' ? undefined : adopt(creating, { claim, entry }, found)
}

/** Returns what became of the last POST; `absent` when it certainly created nothing. */
export async function search(
  creating: Creating,
  { entry, externalDocId }: { entry: CreateEntry; externalDocId: string },
  options: CreateOptions,
): Promise<Found> {
  const { client, clock, maxRounds } = creating
  const look = () => findCreated({ client, externalDocId, since: entry.firstAt }, options)
  const first = await look()
  if (!isNothing(first)) return first
  for (let round = 1; round <= maxRounds; round++) {
    // The last POST may be under way until then, so the first window opens no earlier.
    const from = round === 1 ? entry.overAt : clock.now()
    const found = await lookForAWindow(creating, look, from, options.signal)
    if (found.is !== 'unknown') return found
  }
  return { is: 'unknown' }
}

/** Returns what the list has of a document; `absent` only after the window in which a task may turn up late. */
export async function lookUp(
  creating: Creating,
  { body, entry }: Pick<Submission, 'body' | 'entry'>,
  options: CreateOptions,
): Promise<Found> {
  const { externalDocId } = body.document
  const look = () => findCreated({ client: creating.client, externalDocId, since: entry.firstAt }, options)
  const first = await look()
  return first.is === 'absent' ? lookForAWindow(creating, look, entry.overAt, options.signal) : first
}

/** Returns the first that is found; `absent` when every look of the window says so, and otherwise `unknown`. */
async function lookForAWindow(
  { clock, settleMs }: Creating,
  look: () => Promise<Found>,
  from: number,
  signal: AbortSignal | undefined,
): Promise<Found> {
  let isCertain = true
  for (let part = 1; part <= LOOKS; part++) {
    await clock.sleep(Math.max(0, from + (settleMs * part) / LOOKS - clock.now()), signal)
    const found = await look()
    if (!isNothing(found)) return found
    isCertain &&= found.is === 'absent'
  }
  return { is: isCertain ? 'absent' : 'unknown' }
}

const isNothing = ({ is }: Found): boolean => is === 'absent' || is === 'unknown'
