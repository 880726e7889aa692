/** Returns a copy of the bytes with another byte in one place. */
export function changedAt(bytes: Buffer, at: number, byte: number): Buffer {
  const copy = Buffer.from(bytes)
  copy[at] = byte
  return copy
}
