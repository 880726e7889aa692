/** The memory of large values, such as documents: it is given back and handed on by hand, because nothing collects it in time. */

/** Anything smaller is left to the collector. */
const LARGE = 1024 * 1024

export const isLarge = (value: unknown): value is Uint8Array<ArrayBuffer> =>
  value instanceof Uint8Array && value.byteLength >= LARGE && value.buffer instanceof ArrayBuffer

/** Gives the memory of a large value back at once. Its caller is the last to use it; it is empty afterwards. */
export function giveBack(value: unknown): void {
  if (isLarge(value) && !value.buffer.detached) value.buffer.transfer(0)
}

/**
 * Returns the values with copies of the large ones, which a message is to hand on. `postMessage` alone would write them into the
 * message first, which takes twice the memory and the time.
 */
export function copyLarge<T>(values: readonly T[]): { copies: T[]; transferList: ArrayBuffer[] } {
  const transferList: ArrayBuffer[] = []
  const copies = values.map((value) => {
    if (!isLarge(value)) return value
    const copy = new Uint8Array(value)
    transferList.push(copy.buffer)
    return copy as T
  })
  return { copies, transferList }
}
