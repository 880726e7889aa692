/** Marks of what waits for signers: the mark of a signer is another one after each change. */
import type { StoreContext } from '../context.ts'

/** Returns the mark of each of the signers, by NPI. */
export async function waitingMarks({ db }: StoreContext, npis: readonly string[]): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('task')
    .select(({ fn }) => ['signerNpi', fn.countAll().as('count'), fn.sum('documentId').as('sum')])
    .select(({ fn }) => fn.max('documentId').as('newest'))
    .where('signerNpi', 'in', npis)
    .where('status', '=', 'Pending')
    .groupBy('signerNpi')
    .execute()
  const marks = new Map(npis.map((npi) => [npi, 'none']))
  // What is added has a higher id than all before, and what is gone does not come back; the sum is for those that were committed
  // in another order than they were numbered in.
  for (const { signerNpi, count, sum, newest } of rows) marks.set(signerNpi, `${count} ${sum} ${newest}`)
  return marks
}
