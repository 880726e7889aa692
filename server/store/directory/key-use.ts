/** How many requests each key of a sender made on each day, counted for all instances together. */
import { KEY_USE_DAYS } from '../../choices.ts'
import type { StoreContext } from '../context.ts'

export interface KeyUse {
  keyId: string
  /** YYYY-MM-DD, in UTC. */
  day: string
  requests: number
}

export const keyUse = ({ db }: StoreContext) => ({
  async add(uses: readonly KeyUse[]): Promise<void> {
    if (uses.length === 0) return
    await db
      .insertInto('keyUse')
      .values([...uses])
      .onConflict((conflict) =>
        conflict
          .columns(['keyId', 'day'])
          .doUpdateSet((row) => ({ requests: row('keyUse.requests', '+', row.ref('excluded.requests')) })),
      )
      .execute()
  },

  /** Returns the counts of the last days. */
  async since(at: Date): Promise<KeyUse[]> {
    const rows = await db.selectFrom('keyUse').selectAll().where('day', '>=', firstDay(at)).execute()
    // PostgreSQL gives large integers as text.
    return rows.map((row) => ({ ...row, requests: Number(row.requests) }))
  },

  /** Drops the counts that are older. */
  async sweep(at: Date): Promise<void> {
    await db.deleteFrom('keyUse').where('day', '<', firstDay(at)).execute()
  },
})

/** Returns the day in UTC, YYYY-MM-DD. */
export const dayOf = (at: Date): string => at.toISOString().slice(0, 10)

const firstDay = (at: Date) => dayOf(new Date(at.getTime() - KEY_USE_DAYS * DAY_MS))

const DAY_MS = 24 * 60 * 60 * 1000
