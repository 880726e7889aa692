/** The instances on this store, as each of them last said that it lives. */
import { INSTANCE_LIFE_MS } from '../choices.ts'
import type { WorkerState } from '../domain/worker-health.ts'
import { inTransaction, type StoreContext } from './context.ts'

export interface Instance {
  id: string
  /** Where it runs: the name of its machine and its port. */
  name: string
  version: string
  since: Date
  workers: readonly WorkerState[]
}

export interface SeenInstance extends Instance {
  seenAt: Date
}

export const instances = (context: StoreContext) => ({
  /** Says that an instance lives, and drops those that have not for long. */
  beat: ({ since, workers, ...instance }: Instance, at: Date): Promise<void> =>
    inTransaction(context, async ({ db }) => {
      const now = { seenAt: at.toISOString(), workers: JSON.stringify(workers) }
      await db
        .insertInto('instance')
        .values({ ...instance, since: since.toISOString(), ...now })
        .onConflict((conflict) => conflict.column('id').doUpdateSet(now))
        .execute()
      const forgotten = new Date(at.getTime() - INSTANCE_LIFE_MS).toISOString()
      await db.deleteFrom('instance').where('seenAt', '<', forgotten).execute()
    }),

  /** Says that an instance has ended. */
  async remove(id: string): Promise<void> {
    await context.db.deleteFrom('instance').where('id', '=', id).execute()
  },

  /** The oldest first. */
  async list(): Promise<SeenInstance[]> {
    const rows = await context.db.selectFrom('instance').selectAll().orderBy('since').orderBy('id').execute()
    return rows.map(({ since, seenAt, workers, ...row }) => ({
      ...row,
      since: new Date(since),
      seenAt: new Date(seenAt),
      workers: JSON.parse(workers) as WorkerState[],
    }))
  },
})
