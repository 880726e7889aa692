/** Ends delegations before their time, in the transaction that takes away what they rest on: an account, a membership, the permission. */
import type { Actor } from '../../domain/audit.ts'
import type { TransactionContext } from '../context.ts'
import { changeRows } from '../rows/write-rows.ts'

/** Who changes them, and when. */
export interface DelegationChange {
  by: Actor
  at: Date
}

/** Which delegations end: one, those of a signer or a delegate, or those of an organization. */
export interface EndedDelegations {
  id?: number
  npi?: string
  organizationId?: number
  /** Spares those of these organizations. */
  exceptIn?: readonly number[]
}

/** Ends them, which the audit log tells of each. Returns how many there were. */
export async function endDelegations(
  inside: TransactionContext,
  { id, npi, organizationId, exceptIn = [] }: EndedDelegations,
  { by, at }: DelegationChange,
): Promise<number> {
  const endedAt = at.toISOString()
  const rows = await changeRows(
    inside,
    'delegation',
    (all) => {
      let ended = all.where('endedAt', 'is', null).where('endsAt', '>', endedAt)
      if (id !== undefined) ended = ended.where('id', '=', id)
      if (npi !== undefined)
        ended = ended.where(({ eb, or }) => or([eb('signerNpi', '=', npi), eb('delegateNpi', '=', npi)]))
      if (organizationId !== undefined) ended = ended.where('organizationId', '=', organizationId)
      return exceptIn.length > 0 ? ended.where('organizationId', 'not in', exceptIn) : ended
    },
    { endedAt },
  )
  for (const row of rows)
    inside.audit({ action: 'delegation.end', by, at, organizationId: row.organizationId, subject: row.id })
  return rows.length
}
