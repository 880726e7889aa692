/** Asks the system's resolver for the addresses of a name. */
import { lookup } from 'node:dns/promises'

/** An address that a name represents. */
export interface ResolvedAddress {
  /** In the notation of its family. */
  address: string
  /** 4 or 6. */
  family: number
}

/** All addresses of a name. Rejects when the name has none, or no name server answers. */
export type Resolve = (host: string) => Promise<ResolvedAddress[]>

export const systemResolve: Resolve = (host) => lookup(host, { all: true, order: 'verbatim' })
