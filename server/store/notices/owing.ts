/** Owes e-mails to signers, in the transaction that makes them owed. */
import { noticeDue } from '../../domain/notices/schedule.ts'
import type { StoreContext, TransactionContext } from '../context.ts'
import { holding } from '../delegation/standing-in.ts'

/** Owes a notice of a task that is routed to an organization to its signer, and to who signs for the signer there. */
export async function oweNoticeOf(
  { db }: TransactionContext,
  { signerNpi, routedTo }: { signerNpi: string; routedTo: number },
  at: Date,
): Promise<void> {
  const delegates = holding(db, at)
    .select('d.delegateNpi')
    .where('d.signerNpi', '=', signerNpi)
    .where('d.organizationId', '=', routedTo)
  const settings = settingsOf(db).where(({ or, eb }) => or([eb('npi', '=', signerNpi), eb('npi', 'in', delegates)]))
  await oweBy(db, await settings.execute(), at)
}

/** Owes a notice of what waits to those of the signers who have asked for notices. */
export async function oweNoticeTo({ db }: TransactionContext, npis: readonly string[], at: Date): Promise<void> {
  await oweBy(db, await settingsOf(db).where('npi', 'in', npis).execute(), at)
}

/** Returns the settings of those who have asked for notices. */
const settingsOf = (db: StoreContext['db']) =>
  db
    .selectFrom('noticeSetting')
    .select(['npi', 'mode', 'hour', 'timeZone'])
    .where('address', 'is not', null)
    .orderBy('npi')

type Setting = Awaited<ReturnType<ReturnType<typeof settingsOf>['execute']>>[number]

async function oweBy(db: StoreContext['db'], settings: readonly Setting[], at: Date): Promise<void> {
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
