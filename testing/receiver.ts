/** A receiver of callbacks for tests: a real HTTP server that verifies each callback with the library and keeps its event. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Client } from '../lib/client/client.ts'
import type { StatusEvent } from '../lib/contract/event.ts'
import type { TaskStatus } from '../lib/contract/task/task.ts'
import { openJournal } from '../lib/journal/open.ts'
import type { ProfileInput } from '../lib/profile/host-profile.ts'
import { webhookHandler } from '../lib/webhook/handler.ts'
import { createOnceStore } from '../lib/webhook/once-store.ts'

/** Which event to wait for; what is omitted may be anything. */
export interface EventFilter {
  /** The task that the event is about. */
  taskId?: number
  /** The status that the event tells. */
  status?: TaskStatus
}

/** A receiver that is subscribed to every change of status in its sandbox. */
export interface SandboxReceiver {
  /** Where it listens, and where its subscription sends events. */
  readonly url: string
  /** The secret of its subscription. */
  readonly secret: string
  /** The verified events in the order in which they came, each once however often it was sent. */
  readonly events: readonly StatusEvent[]
  /** Errors of callbacks that were refused, such as a `WebhookVerificationError`. */
  readonly errors: readonly unknown[]
  /**
   * Resolves with the next event that fits, which may have come already; no event is given twice. Rejects when none has come
   * within `timeoutMs`, 10,000 when omitted.
   */
  next(filter?: EventFilter, timeoutMs?: number): Promise<StatusEvent>
  /** Forgets the events and errors that have come. */
  clear(): void
  /** Closes its port. The sandbox does so when it stops. */
  stop(): Promise<void>
}

/** Listens on a free port of this machine and subscribes with the client. */
export async function startReceiver(client: Client, profile?: ProfileInput): Promise<SandboxReceiver> {
  const [events, errors, secrets]: [StatusEvent[], unknown[], string[]] = [[], [], []]
  const given = new Set<StatusEvent>()
  const looks = new Set<() => void>()
  const handler = webhookHandler({
    secrets,
    store: createOnceStore(await openJournal(':memory:', 'events')),
    onEvent(event) {
      events.push(event)
      for (const look of looks) look()
    },
    onError: (error) => errors.push(error),
    ...(profile && { profile }),
  })
  const server = createServer(handler)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/callbacks`
  const { secret } = await client.createSubscription({ body: { url, description: 'Receiver of the tests' } })
  secrets.push(secret)

  const take = ({ taskId, status }: EventFilter): StatusEvent | undefined => {
    const found = events.find(
      (event) =>
        !given.has(event) &&
        (taskId === undefined || event.taskId === taskId) &&
        (status === undefined || event.status === status),
    )
    if (found) given.add(found)
    return found
  }

  return {
    url,
    secret,
    events,
    errors,
    next: (filter = {}, timeoutMs = 10_000) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const found = take(filter)
          if (!found) return
          clearTimeout(late)
          looks.delete(look)
          resolve(found)
        }
        const late = setTimeout(() => {
          looks.delete(look)
          reject(new Error(tooLate(filter, timeoutMs, events)))
        }, timeoutMs)
        looks.add(look)
        look()
      }),
    clear() {
      events.length = 0
      errors.length = 0
    },
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function tooLate({ taskId, status }: EventFilter, timeoutMs: number, events: readonly StatusEvent[]): string {
  const wanted = [status && `the status ${status}`, taskId && `task ${taskId}`].filter(Boolean).join(' of ')
  const came = events.map((event) => `${event.status} of task ${event.taskId}`).join(', ')
  return `No further event${wanted && ` with ${wanted}`} came within ${timeoutMs} ms. Came so far: ${came || 'none'}.`
}
