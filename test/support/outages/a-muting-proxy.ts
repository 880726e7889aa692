/** A proxy to a server over HTTP: it can cut off requests of one method, or pass them on and keep back the answers. */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface MutingProxy {
  readonly port: number
  /** What becomes of requests that begin with these words; all others pass. Null lets everything pass again, also answers kept back. */
  treat(words: string | null, as?: 'cut off' | 'kept back'): void
  close(): Promise<void>
}

export async function aMutingProxy(port: number): Promise<MutingProxy> {
  let treated: { words: string; as: 'cut off' | 'kept back' } | null = null
  const sockets = new Set<Socket>()
  let keptBack: (() => void)[] = []
  const server = createServer((caller) => {
    const callee = connect(port, '127.0.0.1')
    let isMuted = false
    const answer = (chunk: Buffer) => {
      if (isMuted && treated) keptBack.push(() => caller.write(chunk))
      else caller.write(chunk)
    }
    caller.on('data', (chunk) => {
      const isMeant = treated !== null && chunk.subarray(0, treated.words.length).toString('latin1') === treated.words
      if (isMeant && treated?.as === 'cut off') return void caller.destroy()
      isMuted ||= isMeant
      callee.write(chunk)
    })
    callee.on('data', answer)
    for (const [socket, other] of [
      [caller, callee],
      [callee, caller],
    ] as const) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        other.destroy()
      })
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    treat(words, as = 'cut off') {
      treated = words === null ? null : { words, as }
      if (treated) return
      for (const answer of keptBack) answer()
      keptBack = []
    },
    async close() {
      const closed = once(server, 'close')
      server.close()
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}
