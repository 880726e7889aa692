/**
 * IP addresses and ranges of them, as Node.js itself reads them, so that the address that was checked is the one that is
 * dialled. Pure: it parses text, resolves no name and opens no connection.
 */
import { BlockList, isIP, SocketAddress } from 'node:net'

export interface Address {
  family: 'ipv4' | 'ipv6'
  /** In its shortest spelling, in lower case. */
  text: string
}

/** A range in CIDR notation: the addresses whose first `bits` bits are those of `base`. */
export interface AddressRange {
  base: Address
  bits: number
}

/** Whether an address lies in one of several ranges. */
export type AddressSet = (address: Address) => boolean

/**
 * Null when the text is not an address, or names an interface too (`fe80::1%eth0`). An IPv4 address that is mapped into IPv6
 * (`::ffff:127.0.0.1`) is read as the IPv4 address that it represents, because that is whom a connection to it reaches.
 */
export function parseAddress(text: string): Address | null {
  const version = text.includes('%') ? 0 : isIP(text)
  if (version === 0) return null
  if (version === 4) return { family: 'ipv4', text }
  const { address } = new SocketAddress({ address: text, family: 'ipv6' })
  const [, mapped = ''] = /^::ffff:([\d.]+)$/.exec(address) ?? []
  return isIP(mapped) === 4 ? { family: 'ipv4', text: mapped } : { family: 'ipv6', text: address }
}

/** `10.0.0.0/8`, `fd00::/8`, or one address alone. Null when the text is neither. */
export function parseRange(text: string): AddressRange | null {
  const [, address = '', length] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? []
  const base = parseAddress(address)
  if (!base) return null
  const bits = length === undefined ? widthOf(base) : Number(length)
  return bits <= widthOf(base) ? { base, bits } : null
}

/** A list for each family, because a list of Node.js takes an IPv4 address for one of `::/3` too. */
export function addressSet(ranges: readonly AddressRange[]): AddressSet {
  const lists = { ipv4: new BlockList(), ipv6: new BlockList() }
  for (const { base, bits } of ranges) lists[base.family].addSubnet(base.text, bits, base.family)
  return ({ family, text }) => lists[family].check(text, family)
}

const widthOf = ({ family }: Address) => (family === 'ipv4' ? 32 : 128)
