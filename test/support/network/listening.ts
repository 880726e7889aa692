/** A server on a port of this machine, a free one when left out. */
import { once } from 'node:events'
import { connect, type Server } from 'node:net'
import { eventually } from '../eventually.ts'

export const listen = (server: Server, port = 0) =>
  new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
export const portOf = (server: Server) => (server.address() as { port: number }).port

/** Resolves when something takes connections at a port of this machine. */
export const answersAt = (port: number): Promise<void> =>
  eventually(async () => {
    const socket = connect(port, '127.0.0.1')
    await once(socket, 'connect').finally(() => socket.destroy())
  })
