/** Something that the visitor does in the console: sent, announced, and followed by a reload of what is shown. */
import { announce } from '../shared/announce.tsx'
import type { Method } from '../shared/api.ts'
import { announceFailure } from '../shared/connection.tsx'
import { callAdmin } from './admin-api.ts'

interface Act<T> {
  body?: unknown
  /** The message to the user when it is done. */
  done: string | ((answer: T) => string)
  /** Called whether it was done or refused: a refusal may come of what is shown being out of date. */
  reload?(): Promise<void>
}

/** Returns the answer, or null when the service refused, which the visitor has been told by then. */
export async function act<T>(
  method: Method,
  path: string,
  { body, done, reload }: Act<T>,
): Promise<{ answer: T } | null> {
  try {
    const answer = await callAdmin<T>(method, path, body)
    announce(typeof done === 'string' ? done : done(answer))
    return { answer }
  } catch (failure) {
    announceFailure(failure)
    return null
  } finally {
    await reload?.()
  }
}
