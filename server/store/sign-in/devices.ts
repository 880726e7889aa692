/** Devices from which people have signed in. Only the digest of a device id is kept. Knowing one opens nothing: it only means not to be slowed down by strangers. */
import { inTransaction, type StoreContext } from '../context.ts'

/** The number of devices kept for each person, those used last. */
const MAX_DEVICES = 20

export function devices(context: StoreContext) {
  const { db } = context
  return {
    /** The ids of the people who signed in from the device. */
    async peopleOf(digest: string, at: Date): Promise<number[]> {
      const query = db.selectFrom('knownDevice').select('personId').where('digest', '=', digest)
      return (await query.where('expiresAt', '>', at.toISOString()).execute()).map(({ personId }) => personId)
    },

    /** Keeps the device, or keeps it for longer. */
    remember: (digest: string, personId: number, expiresAt: Date): Promise<void> =>
      inTransaction(context, async ({ db }) => {
        const row = { digest, personId, expiresAt: expiresAt.toISOString() }
        await db
          .insertInto('knownDevice')
          .values(row)
          .onConflict((conflict) => conflict.columns(['digest', 'personId']).doUpdateSet({ expiresAt: row.expiresAt }))
          .execute()
        const older = await db
          .selectFrom('knownDevice')
          .select('digest')
          .where('personId', '=', personId)
          .orderBy('expiresAt', 'desc')
          .offset(MAX_DEVICES)
          .limit(MAX_DEVICES)
          .execute()
        for (const { digest: old } of older)
          await db.deleteFrom('knownDevice').where('digest', '=', old).where('personId', '=', personId).execute()
      }),

    /** Drops what has expired. */
    async sweep(at: Date): Promise<void> {
      await db.deleteFrom('knownDevice').where('expiresAt', '<=', at.toISOString()).execute()
    },
  }
}
