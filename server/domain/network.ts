/** The name under which a caller's address is counted. Pure: it parses text and resolves no name. */
import { parseAddress } from './address.ts'

/** Addresses of IPv6 are free for whoever has one: a subscriber gets a /64 at least, so that is counted as one caller. */
const SUBSCRIBER_BITS = 64n

/**
 * The address itself for IPv4, also where it is mapped into IPv6; `2001:db8:0:7::/64` for IPv6. What is no address comes back
 * as it is, so that it is counted all the same.
 */
export function networkOf(ip: string | undefined): string {
  const [bare = ''] = (ip ?? '').split('%')
  const address = parseAddress(bare)
  if (!address) return bare
  const { family, value } = address
  if (family === 4) return [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 0xffn).join('.')
  const groups = [48n, 32n, 16n, 0n].map((shift) => (((value >> SUBSCRIBER_BITS) >> shift) & 0xffffn).toString(16))
  return `${groups.join(':')}::/64`
}
