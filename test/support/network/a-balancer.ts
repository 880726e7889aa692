/** A load balancer: passes requests on to one target after the other, and to the next one when a target does not answer. */
import { createServer, type IncomingHttpHeaders, request as passOn } from 'node:http'
import type { AddressInfo } from 'node:net'

interface Passed {
  method: string
  headers: IncomingHttpHeaders
  body: Buffer
}

export async function aBalancer(targets: readonly string[]) {
  const counts = targets.map(() => 0)
  let next = 0

  const server = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request
    const passed = { method, headers, body: Buffer.concat(await request.toArray()) }
    const first = next
    next += 1
    for (let tries = 0; tries < targets.length; tries += 1) {
      const at = (first + tries) % targets.length
      const answer = await answerOf(targets[at]! + url, passed).catch(() => undefined)
      if (!answer) continue
      counts[at]! += 1
      response.writeHead(answer.status, answer.headers).end(answer.body)
      return
    }
    response.writeHead(502).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** How many requests each target has answered. */
    counts,
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Rejects when the target does not answer in full. */
function answerOf(url: string, { method, headers, body }: Passed) {
  return new Promise<{ status: number; headers: IncomingHttpHeaders; body: Buffer }>((resolve, reject) => {
    passOn(url, { method, headers, agent: false }, (answer) => {
      const parts: Buffer[] = []
      answer.on('data', (part: Buffer) => parts.push(part))
      answer.on('error', reject)
      answer.on('end', () =>
        resolve({ status: answer.statusCode!, headers: answer.headers, body: Buffer.concat(parts) }),
      )
    })
      .on('error', reject)
      .end(body)
  })
}
