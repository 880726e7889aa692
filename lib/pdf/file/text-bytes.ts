/** The bytes that a text in a PDF represents, its escapes resolved. ISO 32000-1, 7.3.4. */
import type { Text } from './value.ts'

const ESCAPED: Readonly<Record<string, number>> = { n: 0x0a, r: 0x0d, t: 0x09, b: 0x08, f: 0x0c }
const LITERAL = /\\([0-7]{1,3}|\r\n|.)|\r\n?|[^\\\r]+/gs

/** @param bytes what the text's span is in. */
export function textBytes(bytes: Buffer, { start, end, isHex }: Text): Buffer {
  const inside = bytes.toString('latin1', start + 1, end - 1)
  if (isHex) {
    const digits = inside.replace(/[^0-9A-Fa-f]/g, '')
    return Buffer.from(digits.length % 2 ? `${digits}0` : digits, 'hex')
  }
  const resolved = inside.replace(LITERAL, (part: string, escaped: string | undefined) => {
    if (escaped === undefined) return part[0] === '\r' ? '\n' : part
    if (/^[0-7]/.test(escaped)) return String.fromCharCode(Number.parseInt(escaped, 8) & 0xff)
    // A line that is broken off by a backslash continues.
    if (/^[\r\n]/.test(escaped)) return ''
    return escaped in ESCAPED ? String.fromCharCode(ESCAPED[escaped]!) : escaped
  })
  return Buffer.from(resolved, 'latin1')
}
