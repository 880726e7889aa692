/** Sessions of the pages. Only the digest of a session id is kept, so that nobody who reads the store can take one over. */
import type { Actor } from '../../domain/audit.ts'
import { inTransaction, type StoreContext } from '../context.ts'
import type { Visitor } from './people.ts'

export interface NewSession {
  digest: string
  personId: number
  /** With which the person was let in. A session does not begin when it has changed since, or the account has ended. */
  passwordHash: string | null
  at: Date
  expiresAt: Date
  /** Network address of the visitor, for the audit log. */
  ip: string
}

export function sessions(context: StoreContext) {
  const { db } = context
  return {
    /** Resolves with false, and begins none, when the person may not sign in any more. */
    open: ({ digest, personId, passwordHash, at, expiresAt, ip }: NewSession): Promise<boolean> =>
      inTransaction(context, async (inside) => {
        const now = at.toISOString()
        const mayBegin = inside.db
          .selectFrom('person')
          .select(['role', 'npi', 'organizationId', 'passwordHash'])
          .where('id', '=', personId)
          .where('disabledAt', 'is', null)
          .where('removedAt', 'is', null)
        const person = await (inside.locksRows ? mayBegin.forShare() : mayBegin).executeTakeFirst()
        if (!person || person.passwordHash !== passwordHash) return false
        // Nobody else sweeps: those that ended are dropped when the next one begins.
        await inside.db.deleteFrom('session').where('expiresAt', '<=', now).execute()
        await inside.db
          .insertInto('session')
          .values({ digest, personId, seenAt: now, expiresAt: expiresAt.toISOString() })
          .execute()
        const by: Actor =
          person.role === 'signer'
            ? { kind: 'signer', id: person.npi, ip }
            : { kind: 'operator', id: String(personId), ip }
        inside.audit({ action: 'session.begin', by, at, organizationId: person.organizationId, subject: personId })
        return true
      }),

    /** Whose session it is; null when it ended, was idle since before `idleSince`, or whoever it belongs to may not sign in any more. */
    async find(digest: string, at: Date, idleSince: Date): Promise<{ visitor: Visitor; seenAt: Date } | null> {
      const row = await db
        .selectFrom('session as s')
        .innerJoin('person as p', 'p.id', 's.personId')
        .leftJoin('provider as d', 'd.npi', 'p.npi')
        .select(['p.id', 'p.email', 'p.name', 'p.role', 'p.npi', 'p.organizationId', 'p.passwordHash'])
        .select(['s.seenAt', 'd.isActive'])
        .where('s.digest', '=', digest)
        .where('p.disabledAt', 'is', null)
        .where('p.removedAt', 'is', null)
        .where('s.expiresAt', '>', at.toISOString())
        .where('s.seenAt', '>', idleSince.toISOString())
        .executeTakeFirst()
      if (!row || (row.role === 'signer' && row.isActive !== 1)) return null
      const { id, email, name, role, npi, organizationId, passwordHash } = row
      return {
        visitor: { personId: id, email, name, role, npi, organizationId, hasPassword: passwordHash !== null },
        seenAt: new Date(row.seenAt),
      }
    },

    async seen(digest: string, at: Date): Promise<void> {
      await db.updateTable('session').set({ seenAt: at.toISOString() }).where('digest', '=', digest).execute()
    },

    async end(digest: string): Promise<void> {
      await db.deleteFrom('session').where('digest', '=', digest).execute()
    },
  }
}
