/**
 * Who signs for whom: the only place that says when a delegation holds. Whatever reaches documents for a delegate asks it
 * in the very query that reads or changes them, so a delegation that has ended opens nothing any more.
 */
import {
  type ExpressionBuilder,
  type ExpressionWrapper,
  expressionBuilder,
  type Kysely,
  type SqlBool,
  sql,
} from 'kysely'
import type { Schema } from '../sql/schema.ts'

/** A delegate at a time. */
export interface StandIn {
  npi: string
  at: Date
}

/** A database, a transaction, or the expression of a subquery. */
type From = Pick<Kysely<Schema> | ExpressionBuilder<Schema, never>, 'selectFrom'>

const inside = expressionBuilder<Schema, never>()

/** Active providers, as `p`, in their active organizations, as `o`, who have an account that is open. */
export const signersIn = (from: From) =>
  from
    .selectFrom('provider as p')
    .innerJoin('providerOrganization as member', 'member.npi', 'p.npi')
    .innerJoin('organization as o', 'o.id', 'member.organizationId')
    .where('p.isActive', '=', 1)
    .where('member.isActive', '=', 1)
    .where('o.isActive', '=', 1)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('person as account')
          .select('account.id')
          .whereRef('account.npi', '=', 'p.npi')
          .where('account.role', '=', 'signer')
          .where('account.disabledAt', 'is', null)
          .where('account.removedAt', 'is', null),
      ),
    )

/** The delegations, as `d`, that hold at a time: begun, not ended, allowed, and both can sign in the organization. */
export function holding(from: From, at: Date) {
  const now = at.toISOString()
  const canSign = (npi: 'd.signerNpi' | 'd.delegateNpi') =>
    inside.exists(
      signersIn(inside)
        .select('p.npi')
        .where('o.allowsDelegation', '=', 1)
        .where('p.npi', '=', sql.ref<string>(npi))
        .where('o.id', '=', sql.ref<number>('d.organizationId')),
    )
  return from
    .selectFrom('delegation as d')
    .where('d.endedAt', 'is', null)
    .where('d.startsAt', '<=', now)
    .where('d.endsAt', '>', now)
    .where(canSign('d.signerNpi'))
    .where(canSign('d.delegateNpi'))
}

/** The condition that someone signs for the signer of a task; `task` is the name that the table of tasks has in the query. */
export const standsInForSignerOf = (task: string, { npi, at }: StandIn): ExpressionWrapper<Schema, never, SqlBool> =>
  inside.exists(
    holding(inside, at)
      .select('d.id')
      .where('d.delegateNpi', '=', npi)
      .where('d.signerNpi', '=', sql.ref<string>(`${task}.signerNpi`))
      .where('d.organizationId', '=', sql.ref<number>(`${task}.routedTo`)),
  )

/** The signers for whom someone is in, so that a list begins with few documents. */
export async function stoodInFor(db: Kysely<Schema>, { npi, at }: StandIn): Promise<string[]> {
  const rows = await holding(db, at).select('d.signerNpi').distinct().where('d.delegateNpi', '=', npi).execute()
  return rows.map(({ signerNpi }) => signerNpi)
}
