/**
 * The places of a receiver: how many senders may be connected, altogether and of one address. Knows no sockets. A place that is held in
 * silence is given to a sender who needs it, so that connections that say nothing cannot shut out others.
 */
import { isIPv6 } from 'node:net'

/** A connection, as far as its place is concerned. */
export interface Tenant {
  address: string
  /** Since when next to nothing has come, and nothing was answered; null while a message is answered. */
  readonly silentSince: number | null
  /** Whether a whole message has come. */
  readonly hasSent: boolean
  /** Gives up the place. */
  end(): void
}

export interface PlaceLimits {
  total: number
  perAddress: number
}

/** How long one who has sent nothing yet may be silent before another needs the place: a slow start of TLS, not more. */
const SILENT_BEFORE_MS = 10_000
/** The same of one who has sent messages: rarely in the middle of work, and connects again with the next message. */
const SILENT_AFTER_MS = 5 * 60_000

export interface Places<T extends Tenant> {
  /** Makes room where that is possible. Returns false when there is none for another connection of this address. */
  hasRoom(address: string, now: number): boolean
  add(tenant: T): void
  leave(tenant: T): void
  all(): readonly T[]
}

export function createPlaces<T extends Tenant>({ total, perAddress }: PlaceLimits): Places<T> {
  const tenants = new Set<T>()
  const madeRoom = (among: T[], now: number): boolean => {
    const [longest] = among.filter((one) => mayEnd(one, now)).toSorted(bySilence)
    if (longest === undefined) return false
    tenants.delete(longest)
    longest.end()
    return true
  }
  return {
    hasRoom(address, now) {
      const network = networkOf(address)
      const neighbors = [...tenants].filter((one) => networkOf(one.address) === network)
      if (neighbors.length >= perAddress && !madeRoom(neighbors, now)) return false
      return tenants.size < total || madeRoom([...tenants], now)
    },
    add: (tenant) => void tenants.add(tenant),
    leave: (tenant) => void tenants.delete(tenant),
    all: () => [...tenants],
  }
}

const mayEnd = ({ silentSince, hasSent }: Tenant, now: number): boolean =>
  silentSince !== null && now - silentSince >= (hasSent ? SILENT_AFTER_MS : SILENT_BEFORE_MS)

/** Sorts connections that have never sent anything first, then by how long they have been silent. */
const bySilence = (a: Tenant, b: Tenant): number =>
  Number(a.hasSent) - Number(b.hasSent) || (a.silentSince ?? 0) - (b.silentSince ?? 0)

/** Returns what counts as one address: of IPv6 the first half, as one machine chooses the second half itself. */
export function networkOf(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '')
  if (!isIPv6(plain)) return plain
  const [head = '', tail] = plain.split('%')[0]!.split('::')
  const groups = (part: string) => part.split(':').filter(Boolean)
  const [before, after] = [groups(head), groups(tail ?? '')]
  const missing = tail === undefined ? 0 : Math.max(0, 8 - before.length - after.length)
  return [...before, ...Array<string>(missing).fill('0'), ...after].slice(0, 4).join(':')
}
