/**
 * A host that lists a task only a minute after it was created, loses requests and answers, and commits late. Plain node:http; its
 * time is that of the race.
 */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FakeClock } from '../fake-clock.ts'
import type { Random } from '../random.ts'

const LIST_LAG_MS = 60_000
const LATE_MS = 25_000
const LOST = 0.05

export interface HostTask {
  taskId: number
  externalDocId: string
  committedAt: number
}

interface SlowHostOptions {
  clock: FakeClock
  random: Random
  /** Told the sender of each create, once before it and once after; true when the sender is dead, so that it gets no answer. */
  strikes(sender: string): boolean
}

export async function slowHost({ clock, random, strikes }: SlowHostOptions) {
  const tasks: HostTask[] = []
  const commit = (externalDocId: string): HostTask => {
    const task = { taskId: tasks.length + 1, externalDocId, committedAt: clock.now() }
    tasks.push(task)
    return task
  }

  /** Undefined when the answer is lost. */
  function create(externalDocId: string, sender: string): object | undefined {
    if (strikes(sender) || random.isSo(LOST)) return
    if (random.isSo(LOST)) return void clock.after(LATE_MS, () => commit(externalDocId))
    const { taskId } = commit(externalDocId)
    return strikes(sender) || random.isSo(LOST) ? undefined : { taskId, status: 'Received', statusReason: null }
  }

  const list = (externalDocId: string | null) =>
    tasks
      .filter((task) => task.externalDocId === externalDocId && task.committedAt <= clock.now() - LIST_LAG_MS)
      .map(({ taskId }) => ({ taskId, status: 'Received', statusReason: null, documentId: null, externalDocId }))

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = await request.toArray()
    const isCreate = request.method === 'POST'
    const answer = isCreate
      ? create(
          JSON.parse(Buffer.concat(chunks).toString()).document.externalDocId,
          String(request.headers['x-api-key']),
        )
      : list(new URL(request.url ?? '/', 'http://host').searchParams.get('externalDocId'))
    if (!answer) return void response.destroy()
    response.writeHead(isCreate ? 201 : 200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
  }

  const server = createServer((request, response) => void serve(request, response).catch(() => response.destroy()))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    tasks: tasks as readonly HostTask[],
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
