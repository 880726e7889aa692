/** Changes who an account belongs to and what it may do, and ends the sessions of a person. */
import type { Actor } from '../../domain/audit.ts'
import { Refusal } from '../../domain/refusal.ts'
import { inTransaction, type StoreContext } from '../context.ts'
import { endDelegations } from '../delegation/ended-delegations.ts'
import { changeRows } from '../rows/write-rows.ts'
import { endable, endSessions } from './account-ends.ts'
import type { Person } from './people.ts'

/** An omitted member keeps its value. */
export type AccountChange = Partial<Pick<Person, 'email' | 'name' | 'role' | 'npi' | 'organizationId'>>

export const accountChanges = (context: StoreContext) => ({
  /**
   * Ends every session when more than the name changes: each was begun with another address, or for another role. Resolves with
   * false when there is no such account. Refuses an address that is taken, and a change that leaves no operator.
   */
  change: (id: number, change: AccountChange, at: Date, by: Actor): Promise<boolean> =>
    inTransaction(context, async (inside) => {
      const { role, email, npi } = change
      if (email !== undefined) await mustBeFree(inside, email, id)
      const before = await endable(inside, id, role === undefined || role === 'operator')
      if (!before) return false
      await changeRows(inside, 'person', (rows) => rows.where('id', '=', id), change)
      if (Object.keys(change).some((name) => name !== 'name')) await endSessions(inside, id)
      if (before.npi !== null && npi !== undefined && npi !== before.npi)
        await endDelegations(inside, { npi: before.npi }, { by, at })
      inside.audit({ action: 'account.update', by, at, organizationId: before.organizationId, subject: id })
      return true
    }),

  /** Ends every session of the person. */
  signOut: ({ id, organizationId }: Pick<Person, 'id' | 'organizationId'>, at: Date, by: Actor): Promise<void> =>
    inTransaction(context, async (inside) => {
      await endSessions(inside, id)
      inside.audit({ action: 'account.sign-out', by, at, organizationId, subject: id })
    }),
})

async function mustBeFree({ db }: Pick<StoreContext, 'db'>, email: string, id: number): Promise<void> {
  const query = db.selectFrom('person').select('id').where('email', '=', email).where('id', '<>', id)
  if (await query.executeTakeFirst()) throw new Refusal('conflict', 'email: another account has this e-mail address')
}
