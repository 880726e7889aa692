/** Asks for the addresses of a name. */
import { lookup } from 'node:dns/promises'

export interface ResolvedAddress {
  address: string
  family: number
}

/** Every address of a name. */
export type Resolve = (host: string) => Promise<ResolvedAddress[]>

export const systemResolve: Resolve = (host) => lookup(host, { all: true, order: 'verbatim' })
