/**
 * Disables accounts for a while and removes them permanently. Either ends every session and every delegation of the person in the
 * same transaction.
 * One operator is always left, so that someone can let the others in.
 */
import type { Actor } from '../../domain/audit.ts'
import { Refusal } from '../../domain/refusal.ts'
import { inTransaction, type StoreContext, type TransactionContext } from '../context.ts'
import { endDelegations } from '../delegation/ended-delegations.ts'
import { changeRows, deleteRows } from '../rows/write-rows.ts'
import { endSteps, forgetSecondFactor } from '../sign-in/second-factors.ts'

export function accountEnds(context: StoreContext) {
  return {
    /**
     * Resolves with false when there is no such account. Refuses to disable the last operator.
     * @param includesLast disables the last operator, too: for the command line, which can always add another one
     */
    disable: (id: number, at: Date, by: Actor, { includesLast = false } = {}): Promise<boolean> =>
      inTransaction(context, async (inside) => {
        const person = includesLast ? (await locked(inside, id))[0] : await endable(inside, id)
        if (!person) return false
        if (person.disabledAt) return true
        await changeRows(inside, 'person', (rows) => rows.where('id', '=', id), { disabledAt: at.toISOString() })
        await endSessions(inside, id)
        if (person.npi !== null) await endDelegations(inside, { npi: person.npi }, { by, at })
        inside.audit({ action: 'account.disable', by, at, organizationId: person.organizationId, subject: id })
        return true
      }),

    /** Resolves with false when there is no such account. */
    enable: (id: number, at: Date, by: Actor): Promise<boolean> =>
      inTransaction(context, async (inside) => {
        const [person] = await locked(inside, id)
        if (!person) return false
        if (!person.disabledAt) return true
        await changeRows(inside, 'person', (rows) => rows.where('id', '=', id), { disabledAt: null })
        inside.audit({ action: 'account.enable', by, at, organizationId: person.organizationId, subject: id })
        return true
      }),

    /** Frees the e-mail address. Resolves with false when there is no such account. Refuses to remove the last operator. */
    remove: (id: number, at: Date, by: Actor): Promise<boolean> =>
      inTransaction(context, async (inside) => {
        const person = await endable(inside, id)
        if (!person) return false
        const gone = { removedAt: at.toISOString(), email: `removed-${id}`, passwordHash: null }
        await changeRows(
          inside,
          'person',
          (rows) => rows.where('id', '=', id),
          ({ email }) => ({ ...gone, removedEmail: email }),
        )
        await endSessions(inside, id)
        if (person.npi !== null) await endDelegations(inside, { npi: person.npi }, { by, at })
        await forgetSecondFactor(inside, id)
        await inside.db.deleteFrom('knownDevice').where('personId', '=', id).execute()
        await deleteRows(inside, 'identity', (rows) => rows.where('personId', '=', id))
        inside.audit({ action: 'account.remove', by, at, organizationId: person.organizationId, subject: id })
        return true
      }),
  }
}

/**
 * Returns the account, locked; undefined when there is none. Refuses when it is the last operator who may sign in, unless it stays one.
 */
export async function endable(inside: TransactionContext, id: number, staysOperator = false) {
  const candidates = await locked(inside, id, 'operator')
  const person = candidates.find((candidate) => candidate.id === id)
  const others = candidates.filter((candidate) => candidate.id !== id && candidate.disabledAt === null)
  if (person?.role === 'operator' && person.disabledAt === null && others.length === 0 && !staysOperator)
    throw new Refusal('conflict', 'This is the last operator who can sign in. Add another one first.')
  return person
}

/** Locks in the order of ids, so that two who end each other's account at once wait instead of blocking each other. */
function locked({ db, locksRows }: TransactionContext, id: number, role?: 'operator') {
  const rows = db
    .selectFrom('person')
    .select(['id', 'role', 'npi', 'organizationId', 'disabledAt'])
    .where('removedAt', 'is', null)
    .where(({ eb, or }) => or([eb('id', '=', id), ...(role ? [eb('role', '=', role)] : [])]))
    .orderBy('id')
  return (locksRows ? rows.forUpdate() : rows).execute()
}

export async function endSessions(inside: TransactionContext, personId: number): Promise<void> {
  await inside.db.deleteFrom('session').where('personId', '=', personId).execute()
  await endSteps(inside, personId)
}
