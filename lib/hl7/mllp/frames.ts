/** MLLP: `0x0B`, the message, `0x1C 0x0D`. Takes a stream of bytes apart, however it is cut. Pure. */

const START = 0x0b
const END = 0x1c
const RETURN = 0x0d

/** What a stream holds, in its order. */
export type Frame =
  | { kind: 'message'; bytes: Uint8Array }
  /** A message that is longer than the limit; `head` is how it begins. The rest is passed over. */
  | { kind: 'too long'; head: Uint8Array }
  /** A message that another one began within: its sender gave it up. */
  | { kind: 'cut' }
  /** Bytes outside of a frame, other than line ends. */
  | { kind: 'junk'; length: number }

/** Enough of a message that is too long to answer it by its header. */
const HEAD_BYTES = 4096

/** Returns the bytes of a message in a frame. */
export const framed = (message: Uint8Array): Uint8Array =>
  Buffer.concat([Uint8Array.of(START), message, Uint8Array.of(END, RETURN)])

export interface FrameReader {
  /** Returns what has become whole with these bytes. */
  take(chunk: Uint8Array): Frame[]
  /** Whether a message has begun and not ended. */
  readonly isWithin: boolean
}

/** Returns a reader for one connection. It keeps at most `limitBytes` of a message, and copies each byte once. */
export function createFrameReader(limitBytes: number): FrameReader {
  let parts: Uint8Array[] = []
  let length = 0
  /** Null outside of a frame. */
  let state: 'within' | 'too long' | null = null

  const begin = () => {
    state = 'within'
    parts = []
    length = 0
  }
  const keep = (bytes: Uint8Array) => {
    length += bytes.length
    if (state === 'within') parts.push(bytes)
    if (length <= limitBytes || state !== 'within') return
    state = 'too long'
    parts = [Buffer.concat(parts).subarray(0, HEAD_BYTES)]
  }
  const ended = (): Frame => {
    const bytes = Buffer.concat(parts)
    const isWhole = state === 'within'
    parts = []
    state = null
    return isWhole ? { kind: 'message', bytes } : { kind: 'too long', head: Buffer.from(bytes) }
  }

  /** Takes bytes outside of a frame, up to its start. Returns where to go on. */
  function passOver(chunk: Uint8Array, from: number, found: Frame[]): number {
    const start = chunk.indexOf(START, from)
    const between = chunk.subarray(from, start < 0 ? chunk.length : start)
    const junk = between.filter((byte) => byte !== RETURN && byte !== 0x0a).length
    if (junk > 0) found.push({ kind: 'junk', length: junk })
    if (start < 0) return chunk.length
    begin()
    return start + 1
  }

  /** Takes bytes within a frame, up to its end or to the start of the next one. Returns where to go on. */
  function readOn(chunk: Uint8Array, from: number, found: Frame[]): number {
    const end = chunk.indexOf(END, from)
    const start = chunk.subarray(from, end < 0 ? chunk.length : end).indexOf(START)
    if (start >= 0) {
      found.push({ kind: 'cut' })
      begin()
      return from + start + 1
    }
    keep(chunk.subarray(from, end < 0 ? chunk.length : end))
    if (end < 0) return chunk.length
    found.push(ended())
    return end + 1
  }

  return {
    take(chunk) {
      const found: Frame[] = []
      let at = 0
      while (at < chunk.length) at = state === null ? passOver(chunk, at, found) : readOn(chunk, at, found)
      return found
    },
    get isWithin() {
      return state !== null
    },
  }
}
