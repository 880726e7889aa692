/** The receiving side of MLLP: takes frames off its connections and sends what they are answered with. Knows no HL7. */
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer, type TlsOptions } from 'node:tls'
import { createFrameReader, type Frame, framed } from './frames.ts'

/** What a receiver listens on, how much it takes, and who answers. */
export interface MllpServerOptions {
  /** 0 for one that is free. */
  port: number
  /** An address of this machine; every one of them when left out. */
  host?: string
  /** With it, only TLS is spoken: `key` and `cert`, and for senders who must prove themselves `ca` and `requestCert`. */
  tls?: TlsOptions
  /** The longest message, in bytes; 64 MiB when left out. */
  limitBytes?: number
  /** In how many ms a message has to arrive whole, and its answer to be taken; 60,000 when left out. */
  frameTimeoutMs?: number
  /** How many senders may be connected at once; 100 when left out. */
  maxConnections?: number
  /** Whether a sender may connect, by its address; a connection of another one is closed. Everybody may when left out. */
  admits?: (address: string) => boolean
  /**
   * Returns the answers to a message, in their order; none for what is not answered. Frames of one connection come one after the
   * other: the next is read when this one was answered. When it rejects, the connection is closed, so that the sender sends again.
   */
  onFrame: (frame: Frame, sender: { address: string }) => Promise<readonly Uint8Array[]>
  /** Told how many senders are connected, each time when it changes. */
  onConnections?: (count: number) => void
  /** Learns what ended a connection: no text holds a byte of a message. */
  onError?: (error: unknown) => void
}

/** A receiver that listens. Made by `serveMllp`. */
export interface MllpServer {
  readonly port: number
  /** Takes nothing new, lets frames be answered that have arrived, for up to `graceMs`, and ends every connection. */
  stop(graceMs?: number): Promise<void>
}

const DEFAULT_LIMIT = 64 * 1024 * 1024
/** How often a connection that is silent is asked whether it still stands. */
const KEEP_ALIVE_MS = 60_000

/** Resolves when it listens. Rejects with what Node.js says of a port that cannot be had. */
export async function serveMllp(options: MllpServerOptions): Promise<MllpServer> {
  const { port, host, tls, maxConnections = 100, admits = () => true, onConnections, onError = () => {} } = options
  const connections = new Map<Socket, Connection>()
  const take = (socket: Socket) => {
    if (!admits(socket.remoteAddress ?? '')) {
      socket.destroy()
      onError(new Error('A sender was refused, because its address is none of those that may connect.'))
      return
    }
    const connection = serveConnection(socket, options)
    connections.set(socket, connection)
    onConnections?.(connections.size)
    void connection.served.catch(onError).finally(() => {
      connections.delete(socket)
      onConnections?.(connections.size)
    })
  }

  const server: Server = tls ? createTlsServer(tls, take) : createServer(take)
  server.maxConnections = maxConnections
  server.on('tlsClientError', onError)
  server.listen(port, host)
  await once(server, 'listening')
  server.on('error', onError)

  return {
    port: (server.address() as AddressInfo).port,
    async stop(graceMs = 5000) {
      const closed = once(server, 'close')
      server.close()
      for (const connection of connections.values()) connection.endSoon()
      const impatient = setTimeout(() => {
        for (const socket of connections.keys()) socket.destroy()
      }, graceMs)
      await closed
      clearTimeout(impatient)
    },
  }
}

interface Connection {
  /** Settles when the connection has ended. */
  served: Promise<void>
  /** Ends it as soon as no frame waits for its answer. */
  endSoon(): void
}

function serveConnection(
  socket: Socket,
  { limitBytes = DEFAULT_LIMIT, frameTimeoutMs = 60_000, onFrame }: MllpServerOptions,
): Connection {
  socket.setKeepAlive(true, KEEP_ALIVE_MS)
  socket.setNoDelay(true)
  const sender = { address: socket.remoteAddress ?? '' }
  const reader = createFrameReader(limitBytes)
  const deadline = createDeadline(frameTimeoutMs, () =>
    socket.destroy(new Error(`A message took longer than ${frameTimeoutMs} ms to arrive.`)),
  )
  let isAnswering = false
  let isEnding = false

  async function answer(frames: Frame[]): Promise<void> {
    isAnswering = true
    for (const frame of frames) {
      for (const message of await onFrame(frame, sender)) await send(socket, framed(message), frameTimeoutMs)
    }
    isAnswering = false
  }

  async function serve(): Promise<void> {
    try {
      for await (const chunk of socket as AsyncIterable<Buffer>) {
        const frames = reader.take(chunk)
        if (frames.length > 0) deadline.lift()
        await answer(frames)
        if (reader.isWithin) deadline.set()
        if (isEnding) return void socket.end()
      }
    } finally {
      deadline.lift()
    }
  }

  return {
    served: serve(),
    endSoon() {
      isEnding = true
      if (!isAnswering) socket.end()
    },
  }
}

/** A time limit that begins when it is set; setting it again changes nothing. */
function createDeadline(ms: number, onLate: () => void) {
  let timer: NodeJS.Timeout | undefined
  return {
    set() {
      timer ??= setTimeout(onLate, ms)
    },
    lift() {
      clearTimeout(timer)
      timer = undefined
    },
  }
}

/** Resolves when the system has taken the bytes, so that a sender who does not read cannot fill the memory. */
async function send(socket: Socket, bytes: Uint8Array, withinMs: number): Promise<void> {
  if (socket.write(bytes)) return
  const isOver = AbortSignal.timeout(withinMs)
  await Promise.race([once(socket, 'drain', { signal: isOver }), once(socket, 'close', { signal: isOver })])
}
