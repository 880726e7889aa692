/** Identities at a provider of single sign-on. An account has one for each provider; once it is linked, no other one counts. */
import type { Actor } from '../../domain/audit.ts'
import { inTransaction, type StoreContext } from '../context.ts'
import { genuine, joined, whole } from '../rows/row-macs.ts'
import { addRow, deleteRows } from '../rows/write-rows.ts'

export interface Identity {
  /** URL of the provider. */
  issuer: string
  /** The claim `sub`, by which the provider knows the person. */
  subject: string
}

/** The account that an identity is linked to. */
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
        .select(whole('identity', 'i'))
        .select(whole('person', 'p'))
        .where('i.issuer', '=', issuer)
        .where('i.subject', '=', subject)
        .where('p.removedAt', 'is', null)
        .executeTakeFirst()
      const person = found && joined(context, 'identity', found) && joined(context, 'person', found)
      return person
        ? { personId: person.id, organizationId: person.organizationId, disabledAt: person.disabledAt }
        : null
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
          .selectAll()
          .where('id', '=', personId)
          .where('disabledAt', 'is', null)
          .where('removedAt', 'is', null)
        // Locked, so that an account that is removed in the meantime leaves no identity behind.
        const found = await (inside.locksRows ? accounts.forUpdate() : accounts).executeTakeFirst()
        const account = genuine(inside, 'person', found)
        if (!account) return false
        const { issuer, subject } = identity
        const linked = await addRow(inside, 'identity', { issuer, subject, personId, linkedAt: at.toISOString() })
        // Someone who signs in twice at once has linked it already.
        if (!linked) return isLinkedTo(inside, identity, personId)
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
        if ((await deleteRows(inside, 'identity', (rows) => rows.where('personId', '=', personId))) === 0) return
        await inside.db.deleteFrom('session').where('personId', '=', personId).where('issuer', 'is not', null).execute()
        inside.audit({ action: 'identity.unlink', by, at, organizationId, subject: personId })
      }),
  }
}

export async function isLinkedTo(
  context: Pick<StoreContext, 'db' | 'rows'>,
  { issuer, subject }: Identity,
  personId: number,
): Promise<boolean> {
  const query = context.db
    .selectFrom('identity')
    .selectAll()
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
  return genuine(context, 'identity', await query.executeTakeFirst())?.personId === personId
}
