/** Owes e-mails to signers, in the transaction that makes them owed. */
import { noticeDue } from '../../domain/notices/schedule.ts'
import type { StoreContext, TransactionContext } from '../context.ts'
import { holding } from '../delegation/standing-in.ts'

/** Owes a notice of a task to its signer, and to who stands in for the signer. */
export async function oweNoticeOf(inside: TransactionContext, taskId: number, at: Date): Promise<void> {
  const { signerNpi, routedTo } = await inside.db
    .selectFrom('task')
    .select(['signerNpi', 'routedTo'])
    .where('id', '=', taskId)
    .executeTakeFirstOrThrow()
  const delegates = await holding(inside.db, at)
    .select('d.delegateNpi')
    .distinct()
    .where('d.signerNpi', '=', signerNpi)
    .where('d.organizationId', '=', routedTo)
    .execute()
  await oweNoticeTo(inside, [signerNpi, ...delegates.map(({ delegateNpi }) => delegateNpi)], at)
}

/** Owes a notice of what waits to those of the signers who have asked for notices. */
export async function oweNoticeTo({ db }: TransactionContext, npis: readonly string[], at: Date): Promise<void> {
  const settings = await db
    .selectFrom('noticeSetting')
    .select(['npi', 'mode', 'hour', 'timeZone'])
    .where('npi', 'in', npis)
    .where('address', 'is not', null)
    .orderBy('npi')
    .execute()
  for (const { npi, ...setting } of settings) {
    const due = noticeDue(setting, at)
    if (due) await owe(db, { npi, kind: 'waiting' }, due)
  }
}

/** Owes a notice. One that is owed already tells of this too, and stays due when it was unless `isMoved`. */
export async function owe(
  db: StoreContext['db'],
  which: { npi: string; kind: 'waiting' | 'code' },
  due: Date,
  isMoved = false,
): Promise<void> {
  const dueAt = due.toISOString()
  await db
    .insertInto('owedNotice')
    .values({ ...which, dueAt, version: 1, failures: 0 })
    .onConflict((conflict) =>
      conflict.columns(['npi', 'kind']).doUpdateSet((row) => ({
        version: row('owedNotice.version', '+', 1),
        ...(isMoved && { dueAt, failures: 0 }),
      })),
    )
    .execute()
}
