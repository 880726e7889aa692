/** The memory of large values, such as documents: it is given back and handed on by hand, because nothing collects it in time. */
import { setImmediate as others } from 'node:timers/promises'

/** Anything smaller is left to the collector. */
const LARGE = 1024 * 1024

export const isLarge = (value: unknown): value is Uint8Array<ArrayBuffer> =>
  value instanceof Uint8Array && value.byteLength >= LARGE && value.buffer instanceof ArrayBuffer

/** Bytes that are copied at one go; memory that is new takes longer to fill than to read. */
const COPIED_AT_ONCE = 2 * LARGE

/** Gives the memory of a large value back at once. Its caller is the last to use it; it is empty afterwards. */
export function giveBack(value: unknown): void {
  if (isLarge(value) && !value.buffer.detached) value.buffer.transfer(0)
}

/**
 * Resolves with the values, the large ones copied so that a message can hand them on. `postMessage` alone would write them into
 * the message first, which takes twice the memory and the time.
 */
export async function copyLarge<T>(values: readonly T[]): Promise<{ copies: T[]; transferList: ArrayBuffer[] }> {
  const copies: T[] = []
  const transferList: ArrayBuffer[] = []
  for (const value of values) {
    const copy = isLarge(value) ? await copied(value) : value
    copies.push(copy as T)
    if (copy !== value) transferList.push((copy as Uint8Array<ArrayBuffer>).buffer)
  }
  return { copies, transferList }
}

/** In steps between which others have their turn. */
async function copied(value: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
  const copy = new Uint8Array(value.byteLength)
  for (let at = 0; at < value.byteLength; at += COPIED_AT_ONCE) {
    if (at > 0) await others()
    copy.set(value.subarray(at, at + COPIED_AT_ONCE), at)
  }
  return copy
}
