/** A receiver under load: proves each callback, remembers which changes it was told, and refuses some of them once. */
import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { verifyWebhook } from '../../../lib/webhook/signature.ts'

export interface Receiver {
  /** Its address at one of its paths; it takes callbacks at all of them. */
  at(path: string): string
  /** Of its subscription. */
  secret: string
  /** The ids of the events that told the change of a task to a status; of one change it should be one. */
  eventIds(taskId: number, status: string): ReadonlySet<string>
  /** The statuses that it was told of a task. */
  statusesOf(taskId: number): string[]
  /** Tasks of which it was told anything. */
  tasks(): number[]
  readonly counts: { accepted: number; refused: number; unproven: number }
  stop(): Promise<void>
}

/** @param refuseOneIn the first attempt of one event in `refuseOneIn` is refused; 0 refuses none */
export async function aReceiver(refuseOneIn = 0): Promise<Receiver> {
  const changes = new Map<number, Map<string, Set<string>>>()
  const refusedBefore = new Set<string>()
  const counts = { accepted: 0, refused: 0, unproven: 0 }

  const statusOf = (headers: Parameters<typeof verifyWebhook>[0]['headers'], payload: Buffer): number => {
    const event = eventIn(headers, payload)
    if (!event) {
      counts.unproven++
      return 400
    }
    const { taskId, status, eventId } = event
    if (refuseOneIn > 0 && numberOf(eventId) % refuseOneIn === 0 && !refusedBefore.has(eventId)) {
      refusedBefore.add(eventId)
      counts.refused++
      return 500
    }
    const statuses = changes.get(taskId) ?? new Map<string, Set<string>>()
    changes.set(taskId, statuses)
    statuses.set(status, (statuses.get(status) ?? new Set()).add(eventId))
    counts.accepted++
    return 204
  }
  const eventIn = (headers: Parameters<typeof verifyWebhook>[0]['headers'], payload: Buffer) => {
    try {
      return verifyWebhook({ payload, headers, secrets: [receiver.secret] })
    } catch {
      return null
    }
  }

  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => response.writeHead(statusOf(request.headers, Buffer.concat(chunks))).end())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const receiver: Receiver = {
    at: (path) => `http://127.0.0.1:${port}${path}`,
    secret: '',
    eventIds: (taskId, status) => changes.get(taskId)?.get(status) ?? new Set(),
    statusesOf: (taskId) => [...(changes.get(taskId)?.keys() ?? [])],
    tasks: () => [...changes.keys()],
    counts,
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return receiver
}

/** The same for each attempt of an event. */
const numberOf = (eventId: string): number => createHash('sha256').update(eventId).digest().readUInt32BE()
