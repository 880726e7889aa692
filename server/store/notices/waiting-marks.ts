/** Marks of what waits for signers: the mark of a signer is another one after each change. */
import type { StoreContext } from '../context.ts'
import { holding } from '../delegation/standing-in.ts'

/** Returns the mark of each of the signers, by NPI. What waits for those whom a signer stands in for belongs to it. */
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
  const marks = new Map(npis.map((npi) => [npi, '']))
  // What is added has a higher id than all before, and what is gone does not come back; the sum is for those that were committed
  // in another order than they were numbered in.
  for (const { npi, count, sum, newest } of [...own, ...ofOthers])
    marks.set(npi, `${marks.get(npi)}/${count} ${sum} ${newest}`)
  return marks
}
