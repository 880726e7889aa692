/** A forward proxy: passes http requests on, opens tunnels for CONNECT, demands a password, and keeps what it could read. */
import { createServer, request as passOn } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'

/** @param resolve the address of a name, as the proxy knows it; the name itself when omitted */
export async function aProxy(
  { username, password }: { username: string; password: string },
  resolve: (host: string) => string = (host) => host,
) {
  const right = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
  /** Method and target of each request, and everything that a client sent. */
  const asked: string[] = []
  let read = ''
  const server = createServer((request, response) => {
    const { 'proxy-authorization': given, ...headers } = request.headers
    asked.push(`${request.method} ${new URL(request.url!).origin}`)
    if (given !== right) return void response.writeHead(407).end()
    request.pipe(
      passOn(request.url!, { method: request.method!, headers }, (answer) => {
        response.writeHead(answer.statusCode!, answer.headers)
        answer.pipe(response)
      }).on('error', () => response.writeHead(502).end()),
    )
  })
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => sockets.add(socket))
  server.on('connection', (socket) => socket.prependListener('data', (chunk) => (read += chunk.toString('latin1'))))
  server.on('connect', ({ url = '', headers }, client, head) => {
    asked.push(`CONNECT ${url}`)
    client.on('error', () => {})
    if (headers['proxy-authorization'] !== right)
      return void client.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n')
    const [host, port] = url.split(':')
    const target = connect(Number(port), resolve(host!), () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n')
      target.write(head)
      client.on('data', (chunk: Buffer) => (read += chunk.toString('latin1')))
      client.pipe(target).pipe(client)
    })
    target.on('error', () => client.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    asked,
    read: () => read,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      for (const socket of sockets) socket.destroy()
      server.closeAllConnections()
      server.close()
    },
  }
}
export type ForwardProxy = Awaited<ReturnType<typeof aProxy>>
