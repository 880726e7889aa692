/** Names who makes a request, for the audit log. */
import type { Request, Response } from 'express'
import type { Actor } from '../../domain/audit.ts'

export const actorOf = (req: Request, res: Response): Actor => ({
  ...identityOf(res.locals),
  requestId: res.locals.requestId,
  ip: req.ip,
})

function identityOf({ caller, operatorKey, visitor }: Response['locals']): Pick<Actor, 'kind' | 'id'> {
  if (visitor?.role === 'signer') return { kind: 'signer', id: visitor.npi }
  if (visitor) return { kind: 'operator', id: String(visitor.personId) }
  if (operatorKey) return { kind: 'operator', id: operatorKey.keyId }
  return caller ? { kind: 'key', id: caller.keyId } : { kind: 'visitor', id: null }
}
