/** A proxy for any protocol over TCP, which can turn callers away and cut a connection at a given moment of what is said. */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface TcpProxy {
  readonly port: number
  /** Ends every connection, and accepts no new one until it is opened again. */
  close(): Promise<void>
  open(): Promise<void>
  /** Cuts one connection, once. */
  cutOnce(cut: Cut): void
}

export interface Cut {
  /** What the caller says at that moment. */
  words: string
  /** What it has to have said before, on the same connection; anything when left out. */
  since?: string
  /** `after` the words have reached the server and before its answer reaches the caller; `before` keeps the words from the server. */
  when: 'before' | 'after'
}

export async function aTcpProxy(to: { host: string; port: number }): Promise<TcpProxy> {
  const callers = new Set<Socket>()
  let cut: Cut | null = null

  const server = createServer((caller) => {
    callers.add(caller)
    const callee = connect(to)
    let isCut = false
    let isMeant = false
    caller.on('data', (chunk) => {
      isMeant ||= cut !== null && chunk.includes(cut.since ?? '')
      if (cut && isMeant && chunk.includes(cut.words)) {
        isCut = true
        if (cut.when === 'after') callee.write(chunk)
        else callee.destroy()
        if (cut.when === 'before') caller.destroy()
        cut = null
      } else callee.write(chunk)
    })
    // The answer shows that the words have arrived and had their effect.
    callee.on('data', (chunk) => (isCut ? caller.destroy() : caller.write(chunk)))
    caller.on('close', () => {
      callers.delete(caller)
      callee.destroy()
    })
    callee.on('close', () => caller.destroy())
    for (const socket of [caller, callee]) socket.on('error', () => {})
  })

  const listen = async (port: number) => {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    return (server.address() as AddressInfo).port
  }
  const port = await listen(0)
  return {
    port,
    async close() {
      const closed = once(server, 'close')
      server.close()
      for (const caller of callers) caller.destroy()
      await closed
    },
    open: async () => void (await listen(port)),
    cutOnce(next) {
      cut = next
    },
  }
}
