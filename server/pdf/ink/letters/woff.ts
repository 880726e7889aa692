/** Unpacks a font from the form in which it travels to browsers (WOFF 1.0). Trusts the file, which comes from a package. */
import { inflateSync } from 'node:zlib'

const HEADER = 44
const ENTRY = 20
const SFNT_HEADER = 12
const SFNT_ENTRY = 16

/**
 * Returns the TrueType font that the file holds.
 * @param only a table that is all that is wanted of it
 */
export function unpackedWoff(woff: Buffer, only?: string): Buffer {
  const entries = Array.from({ length: woff.readUInt16BE(12) }, (_, i) => HEADER + ENTRY * i)
  const wanted = entries.filter((at) => only === undefined || tagAt(woff, at) === only)
  const tables = wanted.map((at) => table(woff, at))
  const count = tables.length
  const power = 2 ** Math.floor(Math.log2(count))
  const header = Buffer.alloc(SFNT_HEADER + SFNT_ENTRY * count)
  woff.copy(header, 0, 4, 8)
  header.writeUInt16BE(count, 4)
  header.writeUInt16BE(power * SFNT_ENTRY, 6)
  header.writeUInt16BE(Math.log2(power), 8)
  header.writeUInt16BE((count - power) * SFNT_ENTRY, 10)
  const parts: Buffer[] = [header]
  let offset = header.length
  for (const [i, { tag, checksum, bytes }] of tables.entries()) {
    const at = SFNT_HEADER + SFNT_ENTRY * i
    header.write(tag, at, 'latin1')
    header.writeUInt32BE(checksum, at + 4)
    header.writeUInt32BE(offset, at + 8)
    header.writeUInt32BE(bytes.length, at + 12)
    const padding = Buffer.alloc(-bytes.length & 3)
    parts.push(bytes, padding)
    offset += bytes.length + padding.length
  }
  return Buffer.concat(parts)
}

const tagAt = (woff: Buffer, at: number) => woff.toString('latin1', at, at + 4)

function table(woff: Buffer, at: number) {
  const [offset, packed, length, checksum] = [4, 8, 12, 16].map((field) => woff.readUInt32BE(at + field)) as [
    number,
    number,
    number,
    number,
  ]
  const stored = woff.subarray(offset, offset + packed)
  return { tag: tagAt(woff, at), checksum, bytes: packed < length ? inflateSync(stored) : stored }
}
