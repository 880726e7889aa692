/**
 * Whom a callback may be sent to. A receiver's URL is chosen by a sender, so without this rule any holder of a key could make
 * the service call hosts in the operator's own network. Pure: names are resolved by the caller.
 */
import { type AddressSet, addressSet, parseAddress, parseRange } from '../address.ts'

export interface TargetPolicy {
  /** Admits http, and then for receivers on this machine only. */
  allowHttp: boolean
  /** Names that may resolve to any address: `ehr.hospital.example`, or with all names below it `*.hospital.example`. */
  hosts: readonly string[]
  isInRange: AddressSet
  /** Whether a URL leads to a catcher of this service; only a sandbox has any. */
  isCatcher?: (url: URL) => boolean
}

/** The path of the catchers of a sandbox, each of which has a name behind it. */
export const CATCH_PATH = '/sandbox/catch'

/** Reads the operator's list of names, addresses and CIDR ranges. An entry that is none of these comes back as `wrong`. */
export function targetPolicy(allowHttp: boolean, allowed: readonly string[]): TargetPolicy & { wrong: string[] } {
  const entries = allowed.map((entry) => ({ entry, range: parseRange(entry.replace(/^\[(.*)\]/, '$1')) }))
  const names = entries.filter(({ range }) => range === null).map(({ entry }) => entry.toLowerCase())
  return {
    allowHttp,
    isInRange: addressSet(entries.flatMap(({ range }) => range ?? [])),
    hosts: names.filter((name) => NAME.test(name)),
    wrong: names.filter((name) => !NAME.test(name)),
  }
}

/** Whether each entry is a host name, an address or a CIDR range. */
export const areTargets = (entries: readonly string[]): boolean => targetPolicy(false, entries).wrong.length === 0

/** The host of a URL as it is compared: without the brackets of IPv6 and without a closing dot. */
export const bareHost = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '')

/** Whether a connection to `address` may be made for a URL with this host. What cannot be read is refused. */
export function mayConnect(host: string, address: string, policy: TargetPolicy): boolean {
  const parsed = parseAddress(address)
  if (!parsed) return false
  if (policy.allowHttp && isLoopbackHost(host)) return isLoopback(parsed)
  if (isAllowed(host, policy)) return true
  return policy.isInRange(parsed) || !isForbidden(parsed)
}

/** Whether the operator named this host, or the range that it is an address of. */
export function isAllowed(host: string, { hosts, isInRange }: TargetPolicy): boolean {
  const address = parseAddress(host)
  if (address) return isInRange(address)
  return hosts.some((name) => (name.startsWith('*.') ? host.endsWith(name.slice(1)) : host === name))
}

/** `localhost`, or an address of this machine. A name that merely resolves to one is not meant. */
export function isLoopbackHost(host: string): boolean {
  const address = parseAddress(host)
  return address ? isLoopback(address) : host === 'localhost'
}

const NAME = /^(\*\.)?[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*$/

/** Made when it is first asked: a start would wait for the expression by which Node.js knows IPv6. */
function setOf(ranges: readonly string[]): AddressSet {
  let set: AddressSet | undefined
  return (address) => {
    set ??= addressSet(ranges.map((text) => parseRange(text)!))
    return set(address)
  }
}

const isLoopback = setOf(['127.0.0.0/8', '::1'])

/**
 * Everything that is not the public Internet: private, local, reserved, and the ways in which IPv6 wraps such an IPv4 address.
 * Of IPv6 only 2000::/3 is public; some ranges inside of it are not.
 */
const FORBIDDEN = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '::/3',
  '4000::/2',
  '8000::/1',
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
]

const isForbidden = setOf(FORBIDDEN)
