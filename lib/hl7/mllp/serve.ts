/** The receiving side of MLLP: takes frames off its connections and sends what they are answered with. Knows no HL7. */
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer, type TlsOptions, type Server as TlsServer } from 'node:tls'
import { type Clock, systemClock } from '../../clock.ts'
import { createFrameReader, type Frame, framed } from './frames.ts'
import { createPlaces, type Tenant } from './places.ts'

/** Options of a receiver: its address, its limits, and the function that answers. */
export interface MllpServerOptions {
  /** 0 for one that is free. */
  port: number
  /** An address of this machine. Optional; every one of them by default. */
  host?: string
  /**
   * Turns TLS on, and plain connections off: `key` and `cert`, and for senders that must prove themselves `ca` and
   * `requestCert`.
   */
  tls?: TlsOptions
  /** The longest message, in bytes. Optional; 64 MiB by default. */
  limitBytes?: number
  /**
   * The bytes of unfinished messages of all connections: beyond them the largest is ended, whose sender sends it again. Optional; 128 MiB by
   * default, and never less than two of the longest messages.
   */
  unfinishedBytes?: number
  /** The bytes of messages that are answered at the same time; a longer message is answered alone. Optional; 32 MiB by default. */
  answeredBytes?: number
  /**
   * The bytes of messages of all connections, unfinished or not answered, beyond which nothing more is read until one of them is
   * answered: so many senders at once cannot fill the memory. Optional; 64 MiB by default, and never less than two of the longest messages.
   */
  pendingBytes?: number
  /**
   * In how many ms a message has to arrive whole, and its answer to be read; 60,000 by default. Time in which the receiver does not read,
   * because other messages wait for their answers, does not count.
   */
  frameTimeoutMs?: number
  /** In how many ms a TLS handshake has to end; 10,000 by default. */
  handshakeTimeoutMs?: number
  /** In how many ms after connecting the first message has to begin; 120,000 by default. */
  firstMessageTimeoutMs?: number
  /** How long a sender who has sent a message may stay connected in silence; twelve hours by default. */
  idleTimeoutMs?: number
  /** How many senders may be connected at once; 100 by default. */
  maxConnections?: number
  /** How many of them from one address; of IPv6 from one /64 network; 20 by default. */
  maxPerAddress?: number
  /** Whether a sender may connect, by its address. Asked before TLS begins. Every address may by default. */
  admits?: (address: string) => boolean
  /**
   * Returns the answers to a message, in their order; none for what is not answered. Frames of one connection come one after the
   * other: the next is read when this one was answered. When it rejects, the connection is closed, so that the sender sends again.
   */
  onFrame: (frame: Frame, sender: { address: string }) => Promise<readonly Uint8Array[]>
  /** Called with how many senders are connected, each time when it changes. */
  onConnections?: (count: number) => void
  /** Called when a connection is refused: its address may not send, or has no place. */
  onRefused?: (reason: 'address' | 'places') => void
  /** Called with what ended a connection: no text has a byte of a message. */
  onError?: (error: unknown) => void
  /** Optional; the clock of the system by default. */
  clock?: Clock
}

/** A receiver that listens. Made by `serveMllp`. */
export interface MllpServer {
  readonly port: number
  /** Takes nothing new, lets frames be answered that have arrived, for up to `graceMs`, and ends every connection. */
  stop(graceMs?: number): Promise<void>
}

const DEFAULT_LIMIT = 64 * 1024 * 1024
/** How often a connection that is silent is asked whether it still holds. */
const KEEP_ALIVE_MS = 60_000

const UNFINISHED_BYTES = 128 * 1024 * 1024
const ANSWERED_BYTES = 32 * 1024 * 1024
const PENDING_BYTES = 64 * 1024 * 1024
/** How much of a message has to come for its sender not to count as silent. */
const PROGRESS_BYTES = 16 * 1024
/** Bytes outside of frames after which a connection is not MLLP. */
const JUNK_BYTES = 64 * 1024
/** Refusals that follow each other within this time are one error. */
const REFUSALS_MS = 60_000
/** How long a connection is read after a broken frame was answered, so that the answer arrives. */
const BROKEN_MS = 5000
const BROKEN = 'A sender was disconnected, because a message had a byte 0x0B, or 0x1C without 0x0D after it.'

/** Resolves when it listens. Rejects with what Node.js says of a port that cannot be had. */
export async function serveMllp(options: MllpServerOptions): Promise<MllpServer> {
  const { port, host, tls, maxConnections = 100, maxPerAddress = 20, handshakeTimeoutMs = 10_000 } = options
  const { admits = () => true, onConnections, onRefused, onError = () => {}, clock = systemClock } = options
  const places = createPlaces<Connection>({ total: maxConnections, perAddress: maxPerAddress })
  const { limitBytes = DEFAULT_LIMIT, answeredBytes = ANSWERED_BYTES } = options
  const unfinishedBytes = Math.max(options.unfinishedBytes ?? UNFINISHED_BYTES, 2 * limitBytes)
  const pendingBytes = Math.max(options.pendingBytes ?? PENDING_BYTES, 2 * limitBytes)
  const changed = () => onConnections?.(places.all().length)
  const checkMemory = () => {
    const all = places.all()
    if (all.reduce((sum, { size }) => sum + size, 0) <= unfinishedBytes) return
    const [largest] = all.toSorted((a, b) => b.size - a.size)
    largest?.end(new Error('A message was not finished, because the unfinished messages of all senders are too large.'))
  }
  const turns = createTurns(answeredBytes)
  const isFull = () => turns.size > 0 && places.all().reduce((sum, one) => sum + one.size, turns.size) > pendingBytes
  const roomToRead = async () => {
    while (isFull()) await turns.oneEnded()
  }
  let lastRefusal = 0
  const refuse = (socket: Socket, reason: 'address' | 'places', why: string) => {
    socket.destroy()
    onRefused?.(reason)
    // One who is refused may try a thousand times a second.
    if (clock.now() - lastRefusal >= REFUSALS_MS) onError(new Error(why))
    lastRefusal = clock.now()
  }

  // TLS begins only with senders who may connect: a handshake costs more than a connection.
  // Some senders end their side behind their last message, and wait for its answer.
  const server: Server = createServer({ noDelay: true, allowHalfOpen: !tls }, (socket) => {
    const address = socket.remoteAddress ?? ''
    socket.on('error', () => {})
    if (!admits(address)) return refuse(socket, 'address', 'A sender was refused, because its address may not send.')
    if (!places.hasRoom(address, clock.now()))
      return refuse(socket, 'places', 'A sender was refused, because too many are connected.')
    const connection = serveConnection(socket, {
      ...options,
      ...{ onUnfinished: checkMemory, handshakeTimeoutMs, secure, clock },
      hasRoomToRead: () => (isFull() ? roomToRead() : undefined),
      onFrame: (frame, sender) => turns.run(sizeOf(frame), () => options.onFrame(frame, sender)),
    })
    places.add(connection)
    changed()
    void connection.served.catch(onError).finally(() => {
      places.leave(connection)
      changed()
    })
  })
  const securing = tls && createTlsServer(tls)
  securing?.on('tlsClientError', onError)
  const secure = securing && secureWith(securing)
  server.listen(port, host)
  await once(server, 'listening')
  server.on('error', onError)

  return {
    port: (server.address() as AddressInfo).port,
    async stop(graceMs = 5000) {
      const closed = once(server, 'close')
      server.close()
      for (const connection of places.all()) connection.endSoon()
      const impatient = setTimeout(() => {
        for (const connection of places.all()) connection.end()
      }, graceMs)
      await closed
      clearTimeout(impatient)
    },
  }
}

const sizeOf = (frame: Frame): number => (frame.kind === 'message' ? frame.bytes.length : 0)

/** Returns what answers messages in the order in which they have come whole, only as many bytes at the same time. */
function createTurns(mostBytes: number) {
  const waiting: { size: number; begin: () => void }[] = []
  let size = 0
  let begun = 0
  const onEnded: (() => void)[] = []
  const next = () => {
    for (let one = waiting[0]; one && (begun === 0 || begun + one.size <= mostBytes); one = waiting[0]) {
      waiting.shift()
      begun += one.size
      one.begin()
    }
  }
  return {
    /** The bytes of all messages that are not answered. */
    get size() {
      return size
    },
    /** Resolves when the next message is answered. */
    oneEnded: () => new Promise<void>((resolve) => onEnded.push(resolve)),
    async run<T>(bytes: number, answer: () => Promise<T>): Promise<T> {
      size += bytes
      await new Promise<void>((begin) => {
        waiting.push({ size: bytes, begin })
        next()
      })
      try {
        return await answer()
      } finally {
        size -= bytes
        begun -= bytes
        for (const resolve of onEnded.splice(0)) resolve()
        next()
      }
    },
  }
}

/** Begins TLS. Resolves with the socket to read from; null when the handshake fails. */
type Secure = (socket: Socket) => Promise<Socket | null>

function secureWith(server: TlsServer): Secure {
  const waiting = new Map<string, (secured: Socket) => void>()
  const nameOf = ({ remoteAddress, remotePort }: Socket) => `${remoteAddress} ${remotePort}`
  server.on('secureConnection', (secured) => waiting.get(nameOf(secured))?.(secured))
  return (socket) =>
    new Promise((resolve) => {
      const name = nameOf(socket)
      waiting.set(name, resolve)
      socket.once('close', () => {
        waiting.delete(name)
        resolve(null)
      })
      server.emit('connection', socket)
    })
}

interface ConnectionOptions extends MllpServerOptions {
  handshakeTimeoutMs: number
  /** Called when more of an unfinished message has come. */
  onUnfinished: () => void
  /** Returns a promise that resolves when more of what senders have sent may be read; undefined when it may be read now. */
  hasRoomToRead: () => Promise<void> | undefined
  clock: Clock
  /** Undefined for plain connections. */
  secure: Secure | undefined
}

interface Connection extends Tenant {
  /** Settles when the connection has ended. */
  served: Promise<void>
  /** How many bytes of memory its unfinished message takes. */
  readonly size: number
  /** Ends it as soon as no frame waits for its answer. */
  endSoon(): void
  end(reason?: Error): void
}

function serveConnection(raw: Socket, options: ConnectionOptions): Connection {
  const { limitBytes = DEFAULT_LIMIT, frameTimeoutMs = 60_000, handshakeTimeoutMs, onFrame, secure } = options
  const {
    firstMessageTimeoutMs = 120_000,
    idleTimeoutMs = 12 * 3_600_000,
    onUnfinished,
    hasRoomToRead,
    clock,
  } = options
  raw.setKeepAlive(true, KEEP_ALIVE_MS)
  const sender = { address: raw.remoteAddress ?? '' }
  const reader = createFrameReader(limitBytes)
  let socket = raw
  let silentSince: number | null = clock.now()
  /** Bytes of the unfinished message since it last made progress. */
  let arrived = 0
  let hasSent = false
  let isAnswering = false
  let isEnding = false
  let isBroken = false
  let junk = 0
  const end = (reason?: Error) => socket.destroy(reason)
  const deadline = createDeadline(clock, end)

  /** Empty frames keep a connection, and do not earn one. */
  const isAlive = ({ kind }: Frame): boolean => kind !== 'junk' && (kind !== 'empty' || hasSent)

  async function answer(frames: Frame[]): Promise<void> {
    isAnswering = true
    for (const frame of frames) {
      if (frame.kind === 'junk') junk += frame.length
      else if (isAlive(frame)) junk = 0
      if (junk > JUNK_BYTES) throw new Error('A sender does not use MLLP: no message began with 0x0B.')
      hasSent ||= isAlive(frame)
      for (const message of await onFrame(frame, sender)) await send(socket, framed(message), frameTimeoutMs)
      isBroken ||= frame.kind === 'broken'
    }
    isAnswering = false
  }

  function setDeadline(bytes: number): void {
    // Line ends and junk between messages do not count, nor do the first bytes of a message: they cost a sender nothing.
    arrived = reader.isWithin ? arrived + bytes : 0
    if (arrived >= PROGRESS_BYTES) {
      silentSince = clock.now()
      arrived = 0
    }
    silentSince ??= clock.now()
    if (reader.isWithin) deadline.set('frame', frameTimeoutMs, 'A message took too long to arrive.')
    else if (hasSent) deadline.set('idle', idleTimeoutMs, 'A sender was silent for too long.')
    else deadline.set('first', firstMessageTimeoutMs, 'A sender connected, and sent no message.')
  }

  async function serve(): Promise<void> {
    try {
      if (secure) {
        deadline.set('handshake', handshakeTimeoutMs, 'A TLS handshake took too long.')
        const secured = await secure(raw)
        if (secured === null) return
        socket = secured
      }
      setDeadline(0)
      for await (const chunk of socket as AsyncIterable<Buffer>) {
        const frames = reader.take(chunk)
        if (frames.some(isAlive)) {
          deadline.lift()
          silentSince = null
        }
        await answer(frames)
        const room = hasRoomToRead()
        if (room) {
          // While there is no room to read, it can send nothing.
          const readAt = clock.now()
          await deadline.without(room)
          if (silentSince !== null) silentSince += clock.now() - readAt
        }
        if (isBroken) {
          // Closing with bytes unread would reset the connection, and the sender might lose the answer.
          socket.end()
          deadline.set('broken', BROKEN_MS, BROKEN)
          continue
        }
        onUnfinished()
        setDeadline(chunk.length)
        if (isEnding) return void socket.end()
      }
      socket.end()
    } finally {
      deadline.lift()
    }
    if (isBroken) throw new Error(BROKEN)
  }

  return {
    address: sender.address,
    get silentSince() {
      return silentSince
    },
    get hasSent() {
      return hasSent
    },
    get size() {
      return reader.size
    },
    served: serve(),
    end,
    endSoon() {
      isEnding = true
      if (!isAnswering) socket.end()
    },
  }
}

/** A time limit of one kind at a time, which begins when that kind is set first; setting it again changes nothing. */
function createDeadline(clock: Clock, onLate: (reason: Error) => void) {
  let current: { kind: string; leftMs: number; reason: Error } | undefined
  let begunAt = 0
  let cancel = () => {}
  const begin = () => {
    if (!current) return
    const { leftMs, reason } = current
    begunAt = clock.now()
    cancel = clock.after(leftMs, () => onLate(reason))
  }
  return {
    set(kind: string, ms: number, reason: string) {
      if (kind === current?.kind) return
      cancel()
      current = { kind, leftMs: ms, reason: new Error(`${reason} The limit is ${ms} ms.`) }
      begin()
    },
    /** Resolves when the work does, whose time does not count. */
    async without(work: Promise<void>) {
      cancel()
      if (current) current.leftMs -= Math.max(0, clock.now() - begunAt)
      await work
      begin()
    },
    lift() {
      cancel()
      current = undefined
    },
  }
}

/** Resolves when the system has taken the bytes, so that a sender who does not read cannot fill the memory. */
async function send(socket: Socket, bytes: Uint8Array, withinMs: number): Promise<void> {
  // One that has closed says so no more.
  if (socket.write(bytes) || socket.destroyed) return
  const isOver = AbortSignal.timeout(withinMs)
  await Promise.race([once(socket, 'drain', { signal: isOver }), once(socket, 'close', { signal: isOver })])
}
