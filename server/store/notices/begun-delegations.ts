/**
 * Tells delegates of what waits when a delegation begins that was made earlier. A row of the owed e-mails holds when the next one of a
 * delegate begins; it moves on in the transaction that owes the e-mail, so each beginning is reported once.
 */
import type { TransactionContext } from '../context.ts'
import { holding } from '../delegation/standing-in.ts'
import { oweNoticeTo } from './owing.ts'

/** Watches for the next delegation of a delegate to begin. Who has chosen nothing about e-mails is not watched for. */
export async function watchBeginnings(inside: TransactionContext, npi: string, at: Date): Promise<void> {
  const { db } = inside
  const setting = await db.selectFrom('noticeSetting').select('npi').where('npi', '=', npi).executeTakeFirst()
  const next = setting && (await nextBeginning(inside, npi, at))
  if (!next) return
  await db
    .insertInto('owedNotice')
    .values({ npi, kind: 'delegation', dueAt: next, version: 1, failures: 0 })
    // One that is earlier has begun, or begins before this one, and is still to be notified of.
    .onConflict((conflict) =>
      conflict.columns(['npi', 'kind']).doUpdateSet({ dueAt: next }).where('owedNotice.dueAt', '>', next),
    )
    .execute()
}

/** Owes the e-mails about delegations that have begun by `at`. */
export async function tellBeginnings(inside: TransactionContext, at: Date): Promise<void> {
  const { db, locksRows } = inside
  const begun = db
    .selectFrom('owedNotice')
    .select(['npi', 'dueAt'])
    .where('kind', '=', 'delegation')
    .where('dueAt', '<=', at.toISOString())
    .orderBy('npi')
  for (const { npi, dueAt } of await (locksRows ? begun.forUpdate().skipLocked() : begun).execute()) {
    if (await holdsSince(inside, { npi, dueAt }, at)) await oweNoticeTo(inside, [npi], at)
    const next = await nextBeginning(inside, npi, at)
    const which = { npi, kind: 'delegation' } as const
    await (next
      ? db
          .updateTable('owedNotice')
          .set({ dueAt: next })
          .where((where) => where.and(which))
          .execute()
      : db
          .deleteFrom('owedNotice')
          .where((where) => where.and(which))
          .execute())
  }
}

/** Whether a delegation holds that began since then and had been made before it began. */
async function holdsSince({ db }: TransactionContext, { npi, dueAt }: { npi: string; dueAt: string }, at: Date) {
  const found = await holding(db, at)
    .select('d.id')
    .where('d.delegateNpi', '=', npi)
    .where('d.startsAt', '>=', dueAt)
    .whereRef('d.startsAt', '>', 'd.createdAt')
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

/** When the next of the delegations of a delegate begins that were not ended, ISO 8601; null: there is none. */
async function nextBeginning({ db }: TransactionContext, npi: string, at: Date): Promise<string | null> {
  const row = await db
    .selectFrom('delegation')
    .select(({ fn }) => fn.min('startsAt').as('next'))
    .where('delegateNpi', '=', npi)
    .where('endedAt', 'is', null)
    .where('startsAt', '>', at.toISOString())
    .executeTakeFirst()
  return row?.next ?? null
}
