/** Names who is charged for what a request holds: places, room for bodies and work under way. */
import type { Request, Response } from 'express'
import { networkOf } from '../../domain/network.ts'

export interface Holder {
  /** The key, the person who is signed in, or the network of a caller who is neither. */
  name: string
  /** The organization of that key or person; signers, operators and networks have groups of their own. */
  group: string
}

export function holderOf(req: Request, res: Response): Holder {
  const { operatorKey, caller = operatorKey, visitor } = res.locals
  if (caller) return { name: `key ${caller.keyId}`, group: groupOf(caller.organizationId) }
  if (visitor?.role === 'signer') return { name: `person ${visitor.personId}`, group: `signer ${visitor.npi}` }
  if (visitor) return { name: `person ${visitor.personId}`, group: groupOf(visitor.organizationId) }
  const network = `network ${networkOf(req.ip)}`
  return { name: network, group: network }
}

const groupOf = (organizationId: number | null) =>
  organizationId === null ? 'operators' : `organization ${organizationId}`
