/** A server on a free port of this machine. */
import type { Server } from 'node:net'

export const listen = (server: Server) => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
export const portOf = (server: Server) => (server.address() as { port: number }).port
