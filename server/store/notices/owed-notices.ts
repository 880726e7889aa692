/**
 * The e-mails that are owed to signers: claimed under a lease, and settled after the mail server has taken them. One that was sent
 * just before its process was killed is sent again.
 */
import type { NoticeChoice } from '../../domain/notices/schedule.ts'
import { inTransaction, type StoreContext } from '../context.ts'
import { type StandIn, standsInForSignerOf, stoodInFor } from '../delegation/standing-in.ts'
import { bindings } from '../sealing/bindings.ts'
import { tellBeginnings } from './begun-delegations.ts'

export interface ClaimedNotice {
  npi: string
  kind: 'waiting' | 'code'
  version: number
  failures: number
}

/** The content of a notice, and its recipient. */
export interface NoticeContent extends NoticeChoice {
  to: string
  offKey: string
  /** How many documents wait. */
  count: number
  /** Names of the organizations that sent them. */
  senders: string[]
}

export const owedNotices = (context: StoreContext) => ({
  /** Takes what is due, under a lease until `leaseEnd`. */
  claim: (limit: number, at: Date, leaseEnd: Date): Promise<ClaimedNotice[]> =>
    inTransaction(context, async (inside) => {
      await tellBeginnings(inside, at)
      const { db, locksRows } = inside
      const due = db
        .selectFrom('owedNotice')
        .select(['npi', 'kind', 'version', 'failures'])
        .where('dueAt', '<=', at.toISOString())
        .where('kind', '<>', 'delegation')
        .$narrowType<{ kind: ClaimedNotice['kind'] }>()
        .orderBy('dueAt')
        .limit(limit)
      const claimed = await (locksRows ? due.forUpdate().skipLocked() : due).execute()
      for (const { npi, kind } of claimed) await setDue(db, { npi, kind }, { dueAt: leaseEnd.toISOString() })
      return claimed
    }),

  /** When the next one is due, or null. */
  async nextDue(): Promise<Date | null> {
    const row = await context.db
      .selectFrom('owedNotice')
      .select(({ fn }) => fn.min('dueAt').as('next'))
      .executeTakeFirst()
    return row?.next ? new Date(row.next) : null
  },

  /** Returns the content of a notice about pending documents; null when there is nothing to report. */
  content: (npi: string, at: Date): Promise<NoticeContent | null> => content(context, { npi, at }),

  /** Keeps a digest of the code that an e-mail is about to hold; resolves with its address, null when there is none to be confirmed. */
  async giveCode(npi: string, code: string, endsAt: Date): Promise<string | null> {
    const codeDigest = context.cipher.index(code, bindings.noticeCode(npi))
    const row = await context.db
      .updateTable('noticeSetting')
      .set({ codeDigest, codeEndsAt: endsAt.toISOString(), codeTries: 0 })
      .where('npi', '=', npi)
      .where('unconfirmed', 'is not', null)
      .returning('unconfirmed')
      .executeTakeFirst()
    return row?.unconfirmed ?? null
  },

  /**
   * It was sent, or there was nothing to say. It is due again at `again`, null: when something happens; and at `sinceThen` when
   * something has happened since it was claimed.
   */
  settle: (
    { npi, kind, version }: ClaimedNotice,
    { again, sinceThen }: { again: Date | null; sinceThen: Date | null },
  ): Promise<void> =>
    inTransaction(context, async ({ db }) => {
      const { numDeletedRows } = await db
        .deleteFrom('owedNotice')
        .where((where) => where.and({ npi, kind, version }))
        .executeTakeFirst()
      const due = numDeletedRows > 0n ? again : sinceThen
      if (!due) return
      const next = { dueAt: due.toISOString(), failures: 0 }
      await db
        .insertInto('owedNotice')
        .values({ npi, kind, version, ...next })
        .onConflict((conflict) => conflict.columns(['npi', 'kind']).doUpdateSet(next))
        .execute()
    }),

  /** It was not taken, and is due again at `dueAt`. */
  postpone: ({ npi, kind, failures }: ClaimedNotice, dueAt: Date): Promise<void> =>
    setDue(context.db, { npi, kind }, { dueAt: dueAt.toISOString(), failures: failures + 1 }),
})

async function setDue(
  db: StoreContext['db'],
  which: Pick<ClaimedNotice, 'npi' | 'kind'>,
  to: { dueAt: string; failures?: number },
): Promise<void> {
  await db
    .updateTable('owedNotice')
    .set(to)
    .where((where) => where.and(which))
    .execute()
}

async function content({ db }: StoreContext, signer: StandIn): Promise<NoticeContent | null> {
  const setting = await db
    .selectFrom('noticeSetting as s')
    .innerJoin('provider as p', 'p.npi', 's.npi')
    .select(['s.address', 's.mode', 's.hour', 's.timeZone', 's.offKey'])
    .where('s.npi', '=', signer.npi)
    .where('s.mode', '<>', 'off')
    .where('p.isActive', '=', 1)
    .executeTakeFirst()
  if (!setting || setting.address === null) return null
  const rows = await db
    .selectFrom('task as t')
    .innerJoin('organization as o', 'o.id', 't.organizationId')
    .select(({ fn }) => ['o.name', fn.countAll().as('count')])
    .where('t.signerNpi', 'in', [signer.npi, ...(await stoodInFor(db, signer))])
    .where(({ eb, or }) => or([eb('t.signerNpi', '=', signer.npi), standsInForSignerOf('t', signer)]))
    .where('t.status', '=', 'Pending')
    .groupBy('o.name')
    .orderBy('o.name')
    .execute()
  if (rows.length === 0) return null
  const { address: to, ...others } = setting
  const count = rows.reduce((sum, row) => sum + Number(row.count), 0)
  return { to, ...others, count, senders: rows.map(({ name }) => name) }
}
