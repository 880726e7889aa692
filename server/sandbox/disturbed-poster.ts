/** Makes callbacks go wrong as the sender has planned, to try what its receiver does with them. */
import { randomBytes } from 'node:crypto'
import type { Clock } from '../../lib/clock.ts'
import type { StatusEvent } from '../../lib/contract/event.ts'
import type { HostProfile } from '../../lib/profile/host-profile.ts'
import type { Faults } from '../operations/sandbox/faults.ts'
import type { Poster } from '../workers/delivery/post.ts'
import { type Sending, signedHeaders } from '../workers/delivery/signed-headers.ts'

const DELAY_SECONDS = 5
/** Older than any receiver accepts. */
const OLD_MS = 24 * 60 * 60 * 1000

/**
 * @param clock the real one: receivers live in it
 * @param profile how the service speaks to receivers
 */
export function disturbedPoster(
  poster: Poster,
  faults: Pick<Faults, 'list' | 'ofCallback'>,
  clock: Pick<Clock, 'sleep'>,
  profile: HostProfile,
): Poster {
  return {
    ...poster,
    async post(sending, cutOff) {
      if (faults.list(sending.organizationId).length === 0) return poster.post(sending, cutOff)
      const { StatusEvent } = await import('../../lib/contract/event.ts')
      const event = StatusEvent.parse(JSON.parse(sending.body.toString('utf8')))
      const fault = faults.ofCallback(sending.organizationId, event.status)
      switch (fault?.fault) {
        case 'duplicate':
          await poster.post(sending, cutOff)
          break
        case 'delay':
          await clock.sleep((fault.delaySeconds ?? DELAY_SECONDS) * 1000, cutOff).catch(() => {})
          break
        case 'wrong-signature':
          return poster.post(sending, cutOff, (at) =>
            signedHeaders({ ...sending, secret: randomBytes(32) }, at, profile),
          )
        case 'old-timestamp':
          return poster.post(sending, cutOff, (at) => signedHeaders(sending, at - OLD_MS, profile))
        case 'changed-body':
          return poster.post(changed(sending, event), cutOff, (at) => signedHeaders(sending, at, profile))
      }
      return poster.post(sending, cutOff)
    },
  }
}

/** Returns a body about another task, of the same length, so that the headers of the true body fit. */
function changed(sending: Sending, event: StatusEvent): Sending {
  const taskId = String(event.taskId)
  const other = `${taskId.slice(0, -1)}${(Number(taskId.at(-1)) + 1) % 10}`
  const body = Buffer.from(sending.body.toString('utf8').replace(`"taskId":${taskId}`, `"taskId":${other}`))
  return { ...sending, body }
}
