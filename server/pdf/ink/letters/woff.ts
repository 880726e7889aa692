/** Unpacks a font from the form in which it travels to browsers (WOFF 1.0). Trusts the file, which comes from a package. */
import { inflateSync } from 'node:zlib'

const HEADER = 44
const ENTRY = 20
const SFNT_HEADER = 12
const SFNT_ENTRY = 16

/** Returns the TrueType font that the file holds. */
export function unpackedWoff(woff: Buffer): Buffer {
  const count = woff.readUInt16BE(12)
  const tables = Array.from({ length: count }, (_, i) => table(woff, HEADER + ENTRY * i))
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

function table(woff: Buffer, at: number) {
  const [offset, packed, length, checksum] = [4, 8, 12, 16].map((field) => woff.readUInt32BE(at + field)) as [
    number,
    number,
    number,
    number,
  ]
  const stored = woff.subarray(offset, offset + packed)
  return { tag: woff.toString('latin1', at, at + 4), checksum, bytes: packed < length ? inflateSync(stored) : stored }
}
