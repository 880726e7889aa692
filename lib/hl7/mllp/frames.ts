/** MLLP: `0x0B`, the message, `0x1C 0x0D`. Takes a stream of bytes apart, however it is cut. Pure. */

const START = 0x0b
const END = 0x1c
const RETURN = 0x0d

/** A piece of a stream, in order. */
export type Frame =
  | { kind: 'message'; bytes: Uint8Array }
  /** A frame without anything but blanks and line ends: senders show with it that they are alive. */
  | { kind: 'empty' }
  /** A message that is longer than the limit; `head` is how it begins. The rest is passed over. */
  | { kind: 'too long'; head: Uint8Array }
  /**
   * A frame with a byte that no message can contain: `0x0B`, or `0x1C` without `0x0D` after it. Receivers disagree about which
   * message follows it, so nothing after it is read. `head` is how the frame begins.
   */
  | { kind: 'broken'; head: Uint8Array; byte: typeof START | typeof END }
  /** Bytes outside of a frame, other than line ends. */
  | { kind: 'junk'; length: number }

/** Enough of a message that is too long to answer it by its header. */
const HEAD_BYTES = 4096

const isBlank = (bytes: Uint8Array): boolean => bytes.every((byte) => byte === 0x20 || (byte >= 0x09 && byte <= RETURN))

/** Whether a message has a byte that would begin or end a frame within it. */
export const breaksFrame = (message: Uint8Array): boolean => message.includes(START) || message.includes(END)

/** Returns the bytes of a message in a frame. Throws `RangeError` for one that has a byte of frames within it. */
export function framed(message: Uint8Array): Uint8Array {
  if (breaksFrame(message)) throw new RangeError('The message has a byte 0x0B or 0x1C, which MLLP cannot carry.')
  return Buffer.concat([Uint8Array.of(START), message, Uint8Array.of(END, RETURN)])
}

export interface FrameReader {
  /** Returns what has become whole with these bytes. */
  take(chunk: Uint8Array): Frame[]
  /** Whether a message has begun and not ended. */
  readonly isWithin: boolean
  /** How many bytes of memory the message that has begun takes. */
  readonly size: number
}

/** Returns a reader for one connection. It keeps at most `limitBytes` of a message, and looks at each byte twice at most. */
export function createFrameReader(limitBytes: number): FrameReader {
  let kept = createBytes(limitBytes)
  let state: 'outside' | 'within' | 'too long' | 'broken' = 'outside'
  /** Whether the last byte was `0x1C`, which ends the frame when `0x0D` follows. */
  let isEnding = false

  const keep = (bytes: Uint8Array) => {
    if (state !== 'within') return
    if (kept.add(bytes)) return
    state = 'too long'
    kept.add(bytes.subarray(0, kept.room))
    kept.cut(HEAD_BYTES)
  }
  const ended = (): Frame => {
    const bytes = kept.take()
    const isWhole = state === 'within'
    kept = createBytes(limitBytes)
    state = 'outside'
    if (!isWhole) return { kind: 'too long', head: bytes }
    return isBlank(bytes) ? { kind: 'empty' } : { kind: 'message', bytes }
  }
  const broken = (byte: typeof START | typeof END): Frame => {
    kept.cut(HEAD_BYTES)
    const head = kept.take()
    kept = createBytes(0)
    state = 'broken'
    return { kind: 'broken', head, byte }
  }

  /** Takes bytes outside of a frame, up to its start. Returns where to continue. */
  function passOver(chunk: Uint8Array, from: number, found: Frame[]): number {
    const start = chunk.indexOf(START, from)
    const end = start < 0 ? chunk.length : start
    let junk = 0
    for (let at = from; at < end; at++) if (chunk[at] !== RETURN && chunk[at] !== 0x0a) junk += 1
    if (junk > 0) found.push({ kind: 'junk', length: junk })
    if (start < 0) return chunk.length
    state = 'within'
    return start + 1
  }

  /** Takes bytes within a frame, up to its end. Returns where to continue. */
  function readOn(chunk: Uint8Array, from: number, found: Frame[]): number {
    if (isEnding) {
      isEnding = false
      found.push(chunk[from] === RETURN ? ended() : broken(END))
      return from + 1
    }
    const end = chunk.indexOf(END, from)
    const part = chunk.subarray(from, end < 0 ? chunk.length : end)
    const start = part.indexOf(START)
    keep(start < 0 ? part : part.subarray(0, start))
    if (start >= 0) {
      found.push(broken(START))
      return chunk.length
    }
    isEnding = end >= 0
    return end < 0 ? chunk.length : end + 1
  }

  return {
    take(chunk) {
      const found: Frame[] = []
      let at = 0
      while (at < chunk.length && state !== 'broken')
        at = state === 'outside' ? passOver(chunk, at, found) : readOn(chunk, at, found)
      return found
    },
    get isWithin() {
      return state === 'within' || state === 'too long'
    },
    get size() {
      return kept.size
    },
  }
}

const FIRST_BYTES = 4096

/** Returns a buffer that grows, so that a message that comes byte by byte costs no more than one that comes at once. */
function createBytes(limit: number) {
  let buffer = new Uint8Array(0)
  let length = 0
  return {
    /** Returns false, and adds nothing, when it would become longer than the limit. */
    add(bytes: Uint8Array): boolean {
      const needed = length + bytes.length
      if (needed > limit) return false
      if (needed > buffer.length) {
        // Transferring the buffer frees it at once, without waiting for the garbage collector.
        buffer = new Uint8Array(
          buffer.buffer.transfer(Math.min(limit, Math.max(needed, 2 * buffer.length, FIRST_BYTES))),
        )
      }
      buffer.set(bytes, length)
      length = needed
      return true
    },
    /** Keeps the beginning alone. */
    cut(most: number): void {
      length = Math.min(length, most)
      buffer = new Uint8Array(buffer.buffer.transfer(length))
    },
    take: (): Uint8Array => buffer.subarray(0, length),
    /** How many bytes may still be added. */
    get room() {
      return limit - length
    },
    get size() {
      return buffer.length
    },
  }
}
