/** Turns the properties of a message into bytes, and back: what Node.js can serialize, Buffers and dates included. Pure. */
import { deserialize, serialize } from 'node:v8'
import type { Message } from '../runtime/node-red.ts'

export interface Packed {
  bytes: Buffer
  /** The names of the properties that cannot be serialized, or found no room. */
  dropped: string[]
}

/** Packs the named properties, or all of them. When there is not room for all, the smaller ones go first. */
export function pack(message: Message, { names, maxBytes }: { names?: readonly string[]; maxBytes: number }): Packed {
  const wanted = Object.keys(message).filter((name) => name !== '_msgid' && (names?.includes(name) ?? true))
  // One step for all of them makes no copy of each, which counts for documents.
  const whole = maxBytes === Number.POSITIVE_INFINITY && serialized(only(message, wanted))
  if (whole) return { bytes: whole, dropped: [] }
  const parts = wanted.map((name) => ({ name, bytes: serialized(message[name]) }))
  const fitting = parts
    .filter((part): part is { name: string; bytes: Buffer } => part.bytes !== undefined)
    .toSorted((a, b) => a.bytes.length - b.bytes.length)
  const kept: [string, Buffer][] = []
  let size = 0
  for (const { name, bytes } of fitting) {
    size += bytes.length
    if (size > maxBytes) break
    kept.push([name, bytes])
  }
  const dropped = wanted.filter((name) => !kept.some(([keptName]) => keptName === name))
  return { bytes: serialize(kept), dropped }
}

/** Returns the properties that were packed. Throws when the bytes are not what `pack` made. */
export function unpack(bytes: Buffer): Message {
  const packed = deserialize(bytes) as Message | [string, Buffer][]
  return Array.isArray(packed) ? Object.fromEntries(packed.map(([name, part]) => [name, deserialize(part)])) : packed
}

const only = (message: Message, names: readonly string[]): Message =>
  Object.fromEntries(names.map((name) => [name, message[name]]))

/** Undefined for what cannot be serialized: functions, open connections, and what holds them. */
function serialized(value: unknown): Buffer | undefined {
  try {
    return serialize(value)
  } catch {
    return undefined
  }
}
