/** Sends again what a host puts off: being busy, or limiting its calls, breaks no rule. */
import type { Clock } from '../clock.ts'
import { retryAfterMs } from '../retry-after.ts'
import type { Send } from './exchange.ts'

/** How a host says that the same request may go well later. RFC 9110, 15.6.4; RFC 6585, 4. */
const FOR_NOW = [429, 503]
/** A request that is put off this often gets the last answer as its own. */
const MOST_TIMES = 5
/** A host that asks for a longer pause is taken at its word. */
const LONGEST_PAUSE_MS = 60_000

/** Returns a `Send` that waits as long as `Retry-After` says before it sends again. */
export function unhurried(send: Send, clock: Clock): Send {
  return async (request) => {
    for (let times = 1; ; times++) {
      const answer = await send(request)
      const pause = FOR_NOW.includes(answer.status)
        ? retryAfterMs(answer.headers.get('Retry-After'), clock.now())
        : null
      if (pause === null || pause > LONGEST_PAUSE_MS || times === MOST_TIMES) return answer
      await clock.sleep(pause)
    }
  }
}
