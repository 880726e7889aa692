/** The name under which a caller's address is counted. Pure: it parses text and resolves no name. */
import { parseAddress } from './address.ts'

/**
 * `203.0.113.11:1000`, `[2001:db8::1]:443`, and the same in quotation marks (RFC 7239), as some proxies write the address of a client.
 * A port may be empty (RFC 3986).
 */
const WITH_PORT = /^("?)(?:\[([^\]"]+)\]|(\d+(?:\.\d+){3}))(?::\d{0,5})?\1$/

/** Returns an address without the port and the quotation marks that a proxy has added. */
export function withoutPort(text: string): string {
  const [, , ipv6, ipv4] = WITH_PORT.exec(text.trim()) ?? []
  return ipv6 ?? ipv4 ?? text.trim()
}

/**
 * The address itself for IPv4, also where it is mapped into IPv6; `2001:db8:0:7::/64` for IPv6, of which a subscriber gets a
 * /64 at least and may use any address in it. All texts that are not addresses are `unknown`, so that a caller cannot choose among them.
 */
export function networkOf(ip: string | undefined): string {
  const [bare = ''] = withoutPort(ip ?? '').split('%')
  const address = parseAddress(bare)
  if (!address) return bare === '' ? '' : 'unknown'
  return address.family === 'ipv4' ? address.text : `${firstHalf(address.text).join(':')}::/64`
}

/** The first four groups of an IPv6 address in its shortest spelling. */
function firstHalf(text: string): string[] {
  const [before = [], after = []] = text.split('::').map((part) => (part === '' ? [] : part.split(':')))
  const zeros = Array<string>(Math.max(0, 8 - before.length - after.length)).fill('0')
  return [...before, ...zeros, ...after].slice(0, 4)
}
