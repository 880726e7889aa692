/** The sending side of MLLP: one connection that is kept, one message at a time, each with its answer. */
import type { Socket } from 'node:net'
import pLimit from 'p-limit'
import { type DialOptions, dial } from './dial.ts'
import { createFrameReader, framed } from './frames.ts'
import { isRefusedCertificate, MllpError } from './mllp-error.ts'

/** Where messages go, and for how long an answer is waited for. */
export interface MllpSenderOptions extends DialOptions {
  /** Milliseconds from sending a message to its whole answer. Optional; 30,000 by default. */
  answerTimeoutMs?: number
  /** Takes a frame that answers nothing, such as an acknowledgement of the application after that of the receipt. */
  onUnasked?: (message: Uint8Array) => void
}

/** Sends messages in the order of the calls. Made by `createMllpSender`. */
export interface MllpSender {
  /**
   * Sends a message and resolves with the first frame that `isAnswer` takes for its answer. Connects when there is no connection.
   * Rejects with `MllpError`; the connection is then given up, so that a late answer is not taken for that of the next message.
   */
  send(message: Uint8Array, isAnswer: IsAnswer): Promise<Uint8Array>
  close(): void
}

/**
 * Returns whether a frame answers the message that is under way; `last` ends the connection after it.
 * @param isAlone whether the message is the only one that was sent over this connection, so that an answer can be to no other
 */
export type IsAnswer = (frame: Uint8Array, isAlone?: boolean) => boolean | 'last'

/** A message that was sent and not answered yet. */
interface Waiting {
  isAnswer: IsAnswer
  resolve: (frame: Uint8Array) => void
  reject: (failure: MllpError) => void
}

/** An acknowledgment has a few segments; with many ERR, some kilobytes. */
const ANSWER_LIMIT = 256 * 1024
/** Bytes outside of frames after which a receiver does not use MLLP. */
const JUNK_LIMIT = 64 * 1024
/** Frames that answer nothing, between two messages of ours, after which the connection is given up. */
const UNASKED_LIMIT = 100

/** Returns a sender that has not connected yet. */
export function createMllpSender(options: MllpSenderOptions): MllpSender {
  const { answerTimeoutMs = 30_000, onUnasked = () => {} } = options
  const inTurn = pLimit(1)
  let socket: Socket | null = null
  let waiting: Waiting | null = null
  let isClosed = false
  let unasked = 0
  /** How many messages were sent over the connection. */
  let sent = 0

  async function connected(): Promise<Socket> {
    if (socket !== null && !socket.destroyed) return socket
    const opened = await dial(options)
    const reader = createFrameReader(ANSWER_LIMIT)
    let junk = 0
    unasked = 0
    sent = 0
    opened.on('data', (chunk) => {
      for (const frame of reader.take(chunk)) {
        if (opened.destroyed) return
        if (frame.kind === 'junk') junk += frame.length
        else junk = 0
        if (frame.kind === 'message') take(frame.bytes, opened)
        const isUnreadable = frame.kind === 'broken' || frame.kind === 'too long' || junk > JUNK_LIMIT
        if (isUnreadable || unasked > UNASKED_LIMIT) giveUp(opened)
      }
    })
    opened.on('end', () => opened.destroy())
    // A receiver may refuse the certificate of the sender after the connection is established, and before it has read anything.
    let refusal: string | undefined
    opened.on('error', ({ code = '' }: NodeJS.ErrnoException) => {
      if (isRefusedCertificate(code)) refusal = code
    })
    opened.on('close', () => {
      // The end of a connection that was given up before is nothing to the message that waits now.
      if (opened !== socket) return
      if (refusal) waiting?.reject(new MllpError('untrusted', false, refusal))
      else waiting?.reject(new MllpError(isClosed ? 'closed' : 'cut', true))
    })
    socket = opened
    return opened
  }

  /** Ends a connection whose other side does not use MLLP as a receiver does. */
  function giveUp(opened: Socket) {
    if (opened === socket) waiting?.reject(new MllpError('unreadable', true))
    opened.destroy()
  }

  function take(frame: Uint8Array, opened: Socket) {
    const taken = waiting?.isAnswer(frame, sent === 1) ?? false
    if (waiting === null || taken === false) {
      unasked += 1
      return onUnasked(frame)
    }
    unasked = 0
    waiting.resolve(frame)
    // Another frame may have come with it.
    waiting = null
    if (taken === 'last') opened.destroy()
  }

  async function exchange(on: Socket, message: Uint8Array, isAnswer: Waiting['isAnswer']): Promise<Uint8Array> {
    let late: NodeJS.Timeout | undefined
    const answer = new Promise<Uint8Array>((resolve, reject) => {
      waiting = { isAnswer, resolve, reject }
      // Bytes that arrived while this process was busy are read before the answer is judged to be late.
      late = setTimeout(() => setImmediate(reject, new MllpError('unanswered', true)), answerTimeoutMs)
    })
    try {
      sent += 1
      on.write(framed(message))
      return await answer
    } catch (failure) {
      on.destroy()
      throw failure
    } finally {
      clearTimeout(late)
      waiting = null
    }
  }

  return {
    send: (message, isAnswer) =>
      inTurn(async () => {
        if (isClosed) throw new MllpError('closed', false)
        return exchange(await connected(), message, isAnswer)
      }),
    close() {
      isClosed = true
      socket?.destroy()
    },
  }
}
