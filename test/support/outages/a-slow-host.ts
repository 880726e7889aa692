/** A server in front of the service that makes a slow host of it: it lists tasks late, and leaves some creates without an answer. */
import { createServer, type IncomingMessage, request as passOn, type ServerResponse } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { listen, portOf } from '../network/listening.ts'
import type { Random } from '../random.ts'

export interface SlowHostOptions {
  /** How long a task is missing from the lists. */
  listLagMs: number
  /** The share of creates that get no answer. Of these, a third never reaches the service, a third is committed at once, a third late. */
  unansweredShare: number
  /** How late. */
  lateMs: number
  random: Random
}

export async function aSlowHost(service: string, { listLagMs, unansweredShare, lateMs, random }: SlowHostOptions) {
  const madeAt = new Map<number, number>()
  let unanswered = 0

  async function ask({ method = '', url = '', headers }: IncomingMessage, body: Buffer) {
    const answer = await new Promise<IncomingMessage>((resolve, reject) =>
      passOn(service + url, { method, headers }, resolve)
        .on('error', reject)
        .end(body),
    )
    const text = Buffer.concat(await answer.toArray())
    if (answer.statusCode === 201 && isTasks(url)) madeAt.set((JSON.parse(String(text)) as Listed).taskId, Date.now())
    return { status: answer.statusCode!, headers: answer.headers, text }
  }

  const isListed = ({ taskId }: Listed) => (madeAt.get(taskId) ?? 0) <= Date.now() - listLagMs

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method, url = '' } = request
    const body = Buffer.concat(await request.toArray())
    if (method === 'POST' && isTasks(url) && random.isSo(unansweredShare)) {
      unanswered += 1
      const becomes = random.pick(['nothing', 'a task', 'a late task'])
      if (becomes === 'a late task') await pause(lateMs)
      if (becomes !== 'nothing') await ask(request, body)
      return
    }
    const { status, headers, text } = await ask(request, body)
    const isList = method === 'GET' && isTasks(url) && status === 200
    const shown = isList ? JSON.stringify((JSON.parse(String(text)) as Listed[]).filter(isListed)) : text
    response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(shown) }).end(shown)
  }

  const server = createServer((request, response) => void handle(request, response).catch(() => response.destroy()))
  await listen(server)
  return {
    baseUrl: `http://127.0.0.1:${portOf(server)}`,
    /** The ids of the tasks that were made, in their order. */
    made: () => [...madeAt.keys()],
    unanswered: () => unanswered,
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

interface Listed {
  taskId: number
}

const isTasks = (url: string) => /\/signature\/tasks(\?|$)/.test(url)
