/** IP addresses and ranges of them, as numbers. Pure: it parses text and resolves no name. */

export interface Address {
  family: 4 | 6
  value: bigint
}

/** A range in CIDR notation: the addresses whose first `bits` bits are those of `base`. */
export interface AddressRange {
  base: Address
  bits: number
}

/**
 * Null when the text is not an address. An IPv4 address that is mapped into IPv6 (`::ffff:127.0.0.1`) is read as the IPv4
 * address that it stands for, because that is whom a connection to it reaches.
 */
export function parseAddress(text: string): Address | null {
  const address = text.includes(':') ? parseV6(text) : parseV4(text)
  if (address?.family === 6 && address.value >> 32n === 0xffffn)
    return { family: 4, value: address.value & 0xffff_ffffn }
  return address
}

/** `10.0.0.0/8`, `fd00::/8`, or one address alone. Null when the text is neither. */
export function parseRange(text: string): AddressRange | null {
  const [, address = '', length] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? []
  const base = parseAddress(address)
  if (!base) return null
  const bits = length === undefined ? width(base) : Number(length)
  return bits <= width(base) ? { base, bits } : null
}

export function isWithin({ family, value }: Address, { base, bits }: AddressRange): boolean {
  const rest = BigInt(width(base) - bits)
  return family === base.family && value >> rest === base.value >> rest
}

const width = ({ family }: Address) => (family === 4 ? 32 : 128)

function parseV4(text: string): Address | null {
  if (!/^\d{1,3}(\.\d{1,3}){3}$/.test(text)) return null
  const bytes = text.split('.').map(Number)
  if (bytes.some((byte) => byte > 255)) return null
  return { family: 4, value: bytes.reduce((value, byte) => (value << 8n) | BigInt(byte), 0n) }
}

function parseV6(text: string): Address | null {
  const tail = parseV4(text.slice(text.lastIndexOf(':') + 1))
  const groups = tail
    ? `${text.slice(0, text.lastIndexOf(':') + 1)}${(tail.value >> 16n).toString(16)}:${(tail.value & 0xffffn).toString(16)}`
    : text
  const [head = '', rest, ...more] = groups.split('::')
  if (more.length > 0) return null
  const left = head === '' ? [] : head.split(':')
  const right = rest === undefined || rest === '' ? [] : rest.split(':')
  const missing = 8 - left.length - right.length
  if (rest === undefined ? missing !== 0 : missing < 1) return null
  const all = [...left, ...Array<string>(missing).fill('0'), ...right]
  if (!all.every((group) => /^[0-9a-f]{1,4}$/i.test(group))) return null
  return { family: 6, value: all.reduce((value, group) => (value << 16n) | BigInt(`0x${group}`), 0n) }
}
