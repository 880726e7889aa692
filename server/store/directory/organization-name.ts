/** Organizations are found by their names on the command line and by embedded services, so no two have the same. */
import { Refusal } from '../../domain/refusal.ts'
import type { TransactionContext } from '../context.ts'
import { takeTurn } from './organization-npi.ts'

/** Refuses a name that an organization has, until the end of the transaction. */
export async function mustBeNew({ db, locksRows }: TransactionContext, name: string): Promise<void> {
  if (locksRows) await takeTurn(db)
  const owner = await db.selectFrom('organization').select('id').where('name', '=', name).executeTakeFirst()
  if (owner) throw new Refusal('conflict', 'name: an organization has this name already')
}
