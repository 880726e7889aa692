/** A receiver of callbacks on a thread of its own, and POSTs to it by the code of the service, from memory. */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { systemClock } from '../../../lib/clock.ts'
import { targetPolicy } from '../../../server/domain/delivery/target.ts'
import { createPoster } from '../../../server/workers/delivery/post.ts'
import { systemResolve } from '../../../server/workers/delivery/resolve.ts'

export interface CallbackReceiver {
  url: string
  post(eventId: string): Promise<unknown>
  /** When each event came since the last time that this was asked, in milliseconds since 1970. */
  arrivals(): Promise<Map<string, number>>
  stop(): Promise<void>
}

export async function startReceiver(): Promise<CallbackReceiver> {
  const thread = new Worker(new URL('./receiver-thread.ts', import.meta.url))
  const [{ port }] = (await once(thread, 'message')) as [{ port: number }]
  const url = `http://127.0.0.1:${port}/callbacks`
  const poster = createPoster({ clock: systemClock, targets: targetPolicy(true, []), resolve: systemResolve })
  const never = new AbortController().signal
  const secret = randomBytes(32)
  return {
    url,
    post: (eventId) =>
      poster.post(
        { organizationId: 1, url, secrets: [secret], eventId, body: bodyOf(eventId), attemptNumber: 1 },
        never,
      ),
    async arrivals() {
      thread.postMessage('came')
      const [{ came }] = (await once(thread, 'message')) as [{ came: [string, number][] }]
      return new Map(came)
    },
    async stop() {
      poster.close()
      await thread.terminate()
    },
  }
}

function bodyOf(eventId: string): Buffer {
  const event = { taskId: 1001, status: 'Failed', statusReason: null, documentId: null, eventId }
  const occurredAtUtc = new Date().toISOString()
  return Buffer.from(JSON.stringify({ ...event, eventType: 'document.status_changed', occurredAtUtc }))
}
