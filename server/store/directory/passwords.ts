/** Passwords of people: only their hashes are kept, and only a sign-in reads them. */
import { type Actor, OPERATOR } from '../../domain/audit.ts'
import { inTransaction, type StoreContext } from '../context.ts'
import { genuine } from '../rows/row-macs.ts'
import { changeRows } from '../rows/write-rows.ts'
import { endSteps } from '../sign-in/second-factors.ts'
import { forgetTries } from '../sign-in/tries.ts'
import type { Person } from './people.ts'

export function passwords(context: StoreContext) {
  const { db } = context
  return {
    /** Returns the person of a sign-in: null when no one may sign in with this address. `email` in lower case. */
    findForSignIn: async (email: string): Promise<(Person & { passwordHash: string | null }) | null> => {
      const found = db
        .selectFrom('person')
        .selectAll()
        .where('email', '=', email)
        .where('removedAt', 'is', null)
        .where('disabledAt', 'is', null)
      return genuine(context, 'person', await found.executeTakeFirst())
    },

    passwordHashOf: async (id: number): Promise<string | null> => {
      const query = db.selectFrom('person').selectAll().where('id', '=', id)
      return genuine(context, 'person', await query.executeTakeFirst())?.passwordHash ?? null
    },

    /**
     * Ends every session of the person, except the one of the digest `keep`, and forgets their failed sign-ins. Resolves with
     * false when there is no such account.
     */
    setPassword: (id: number, passwordHash: string, at: Date, by: Actor = OPERATOR, keep = ''): Promise<boolean> =>
      inTransaction(context, async (inside) => {
        const [row] = await changeRows(
          inside,
          'person',
          (rows) => rows.where('id', '=', id).where('removedAt', 'is', null),
          { passwordHash },
        )
        if (!row) return false
        await forgetTries(inside.db, row.email)
        await inside.db.deleteFrom('session').where('personId', '=', id).where('digest', '<>', keep).execute()
        await endSteps(inside, id)
        inside.audit({ action: 'account.password', by, at, organizationId: row.organizationId, subject: id })
        return true
      }),

    /** Forgets the failed sign-ins of the person, so that no one has to wait because of them. */
    unlock: ({ id, email, organizationId }: Person, at: Date, by: Actor): Promise<void> =>
      inTransaction(context, async (inside) => {
        await forgetTries(inside.db, email)
        inside.audit({ action: 'account.unlock', by, at, organizationId, subject: id })
      }),
  }
}
