/** Identities at a provider of single sign-on. An account has one for each provider; once it is linked, no other one counts. */
import type { Kysely } from 'kysely'
import type { Actor } from '../../domain/audit.ts'
import { inTransaction, type StoreContext } from '../context.ts'
import type { Schema } from '../sql/schema.ts'

export interface Identity {
  /** URL of the provider. */
  issuer: string
  /** By which the provider knows the person: the claim `sub`. */
  subject: string
}

/** Whose account an identity is linked to. */
export interface Linked {
  personId: number
  organizationId: number | null
  /** Since when the person may not sign in; null while they may. */
  disabledAt: string | null
}

export function identities(context: StoreContext) {
  const { db } = context
  return {
    /** Null when the identity is linked to no account. */
    async accountOf({ issuer, subject }: Identity): Promise<Linked | null> {
      const found = await db
        .selectFrom('identity as i')
        .innerJoin('person as p', 'p.id', 'i.personId')
        .select(['p.id as personId', 'p.organizationId', 'p.disabledAt'])
        .where('i.issuer', '=', issuer)
        .where('i.subject', '=', subject)
        .where('p.removedAt', 'is', null)
        .executeTakeFirst()
      return found ?? null
    },

    /** Returns the ids of the people whose accounts are linked, to any provider. */
    async linkedPeople(): Promise<Set<number>> {
      const rows = await db.selectFrom('identity').select('personId').distinct().execute()
      return new Set(rows.map(({ personId }) => personId))
    },

    /** Whether the account is linked to an identity of this provider. */
    async isLinked(personId: number, issuer: string): Promise<boolean> {
      const query = db.selectFrom('identity').select('subject').where('personId', '=', personId)
      return (await query.where('issuer', '=', issuer).executeTakeFirst()) !== undefined
    },

    /** Resolves with false when the account is linked to another identity of the provider, or has ended. */
    link: (identity: Identity, personId: number, at: Date, by: Actor): Promise<boolean> =>
      inTransaction(context, async (inside) => {
        const accounts = inside.db
          .selectFrom('person')
          .select('organizationId')
          .where('id', '=', personId)
          .where('disabledAt', 'is', null)
          .where('removedAt', 'is', null)
        // Locked, so that an account that is removed meanwhile leaves no identity behind.
        const account = await (inside.locksRows ? accounts.forUpdate() : accounts).executeTakeFirst()
        if (!account) return false
        const linked = await inside.db
          .insertInto('identity')
          .values({ ...identity, personId, linkedAt: at.toISOString() })
          .onConflict((conflict) => conflict.doNothing())
          .returning('personId')
          .executeTakeFirst()
        // Somebody who signs in twice at once has linked it already.
        if (!linked) return isLinkedTo(inside.db, identity, personId)
        const { organizationId } = account
        inside.audit({ action: 'identity.link', by, at, organizationId, subject: personId })
        return true
      }),

    /** Unlinks every identity of the account, and ends the sessions that began with one. */
    unlink: (personId: number, organizationId: number | null, at: Date, by: Actor): Promise<void> =>
      inTransaction(context, async (inside) => {
        // Locked, so that no session begins while its identity is unlinked.
        const account = inside.db.selectFrom('person').select('id').where('id', '=', personId)
        await (inside.locksRows ? account.forUpdate() : account).execute()
        const identities = inside.db.deleteFrom('identity').where('personId', '=', personId)
        if ((await identities.returning('personId').execute()).length === 0) return
        await inside.db.deleteFrom('session').where('personId', '=', personId).where('issuer', 'is not', null).execute()
        inside.audit({ action: 'identity.unlink', by, at, organizationId, subject: personId })
      }),
  }
}

export async function isLinkedTo(
  db: Kysely<Schema>,
  { issuer, subject }: Identity,
  personId: number,
): Promise<boolean> {
  const query = db.selectFrom('identity').select('personId').where('issuer', '=', issuer).where('subject', '=', subject)
  return (await query.executeTakeFirst())?.personId === personId
}
