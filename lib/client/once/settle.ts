/** Finds out what became of a POST whose answer was lost: looks for its task until it is there, or certainly is not. */
import { adopt } from './adopt.ts'
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
  submission: Submission,
  options: CreateOptions,
): Promise<Created | undefined> {
  const { client, clock, maxRounds } = creating
  const { body, entry } = submission
  const { externalDocId } = body.document
  const look = () => findCreated({ client, externalDocId, since: entry.firstAt }, options)
  const first = await look()
  if (!isNothing(first)) return adopt(creating, submission, first)
  for (let round = 1; round <= maxRounds; round++) {
    // The last POST may be under way until then, so the first window opens no earlier.
    const from = round === 1 ? entry.overAt : clock.now()
    const found = await lookForAWindow(creating, look, from, options.signal)
    if (found.is === 'absent') return undefined
    if (found.is !== 'unknown') return adopt(creating, submission, found)
  }
  return adopt(creating, submission, { is: 'unknown' })
}

/** Returns what the list has of a document; `absent` only after the window in which a task may turn up late. */
export async function lookUp(creating: Creating, { body, entry }: Submission, options: CreateOptions): Promise<Found> {
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
