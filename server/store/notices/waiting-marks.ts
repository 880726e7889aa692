/** Marks of what waits for signers: the mark of a signer is another one after each change. */
import { expressionBuilder, sql } from 'kysely'
import { isFinal, taskStatuses } from '../../../lib/contract/task/task-status.ts'
import type { StoreContext } from '../context.ts'
import { holding } from '../delegation/standing-in.ts'
import type { Schema } from '../sql/schema.ts'

/** Returns the mark of each of the signers, by NPI. What waits for those whom a signer signs for belongs to it. */
export async function waitingMarks(
  { db }: StoreContext,
  npis: readonly string[],
  at: Date,
): Promise<Map<string, string>> {
  const own = await db
    .selectFrom('task as t')
    .select(({ fn }) => ['t.signerNpi as npi', fn.countAll().as('count'), fn.sum('t.documentId').as('sum')])
    .select(({ fn }) => fn.max('t.documentId').as('newest'))
    .where('t.signerNpi', 'in', npis)
    .where('t.status', '=', 'Pending')
    .groupBy('t.signerNpi')
    .execute()
  const ofOthers = await holding(db, at)
    .innerJoin('task as t', (join) =>
      join.onRef('t.signerNpi', '=', 'd.signerNpi').onRef('t.routedTo', '=', 'd.organizationId'),
    )
    .select(({ fn }) => ['d.delegateNpi as npi', fn.countAll().as('count'), fn.sum('t.documentId').as('sum')])
    .select(({ fn }) => fn.max('t.documentId').as('newest'))
    .where('d.delegateNpi', 'in', npis)
    .where('t.status', '=', 'Pending')
    .groupBy('d.delegateNpi')
    .execute()
  const gone = await db
    .selectFrom('provider as p')
    .select('p.npi')
    .select(newestGone('p.npi'))
    .where('p.npi', 'in', npis)
    .execute()
  const goneOfOthers = await holding(db, at)
    .select('d.delegateNpi as npi')
    .select(newestGone('d.signerNpi'))
    .where('d.delegateNpi', 'in', npis)
    .orderBy('d.id')
    .execute()
  const marks = new Map(npis.map((npi) => [npi, '']))
  // New tasks have a higher id than all before, and a removed one does not come back; the sum covers those that were committed
  // in another order than they were numbered in.
  for (const { npi, count, sum, newest } of [...own, ...ofOthers])
    marks.set(npi, `${marks.get(npi)}/${count} ${sum} ${newest}`)
  // A document that came and went between two looks may have been read by a page in between.
  for (const { npi, ...newest } of [...gone, ...goneOfOthers])
    marks.set(npi, `${marks.get(npi)}/${Object.values(newest).join(' ')}`)
  return marks
}

const inside = expressionBuilder<Schema, never>()

/** The newest document of a signer in each final status: a look into the index for each. */
const newestGone = (npi: 'p.npi' | 'd.signerNpi') =>
  taskStatuses.filter(isFinal).map((status) =>
    inside
      .selectFrom('task as e')
      .select(({ fn }) => fn.max('e.documentId').as('newest'))
      .where('e.signerNpi', '=', sql.ref<string>(npi))
      .where('e.status', '=', status)
      .as(`newest${status}`),
  )
