/** A server on a port of this machine, a free one when left out. */
import type { Server } from 'node:net'

export const listen = (server: Server, port = 0) =>
  new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
export const portOf = (server: Server) => (server.address() as { port: number }).port
