/** Limits the connections that are open at once, of which one without a request costs memory and a file descriptor. choice: Connections */
import type { Server } from 'node:http'
import { networkOf } from '../domain/network.ts'
import { createRoom, type RoomSize } from './bodies/room.ts'

/**
 * Closes a connection that is one too many as soon as it is opened.
 *
 * @param isProxy whether an address is that of a proxy, whose connections are those of many
 */
export function limitConnections(server: Server, limits: RoomSize, isProxy: (address: string) => boolean): void {
  const room = createRoom(limits)
  server.maxConnections = limits.total
  server.on('connection', (socket) => {
    const { remoteAddress = '' } = socket
    if (isProxy(remoteAddress)) return
    const leave = room.take(networkOf(remoteAddress), 1)
    if (leave) socket.once('close', leave)
    else socket.destroy()
  })
}
