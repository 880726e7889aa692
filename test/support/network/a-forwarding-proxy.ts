/** A reverse proxy, as it stands before a receiver: what comes below its path goes on to a port, without that path. */
import { once } from 'node:events'
import { createServer, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'
import { listen } from './listening.ts'

/** @param path such as `/callbacks`; all else is 404 */
export async function aForwardingProxy(path: string, port: number) {
  let forwarded = 0
  const server = createServer((request, response) => {
    if (!request.url!.startsWith(`${path}/`)) return void response.writeHead(404).end()
    forwarded++
    const { method, headers } = request
    const onward = send(
      { host: '127.0.0.1', port, method, headers, path: request.url!.slice(path.length) },
      (answer) => {
        response.writeHead(answer.statusCode!, answer.headers)
        answer.pipe(response)
      },
    )
    onward.on('error', () => response.writeHead(502).end())
    request.pipe(onward)
  })
  await listen(server)
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`,
    /** Requests that went on. */
    forwarded: () => forwarded,
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
