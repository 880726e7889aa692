/** How signers are notified by e-mail that documents wait: chosen by themselves, or by an operator. */
import type { Actor } from '../../domain/audit.ts'
import { type NoticeChoice, type NoticeMode, noticeDue } from '../../domain/notices/schedule.ts'
import { inTransaction, type StoreContext, type TransactionContext } from '../context.ts'
import { type StandIn, standsInForSignerOf, stoodInFor } from '../delegation/standing-in.ts'
import { bindings } from '../sealing/bindings.ts'
import { watchBeginnings } from './begun-delegations.ts'
import { owe } from './owing.ts'

export interface NoticeSetting extends NoticeChoice {
  /** Where the notices go; null: nowhere yet. */
  address: string | null
  /** An address that the signer has entered and not confirmed. */
  unconfirmed: string | null
  /** When it was entered. */
  enteredAt: string | null
}

/** Who changes it, and when. */
export interface NoticeChange {
  by: Actor
  at: Date
}

export type Confirmation = 'confirmed' | 'wrong' | 'ended'

/** The setting of a signer who has chosen nothing yet. */
const NOTHING_CHOSEN: NoticeSetting = {
  mode: 'off',
  hour: 7,
  timeZone: 'UTC',
  address: null,
  unconfirmed: null,
  enteredAt: null,
}

/** After as many wrong codes only a new one will do. */
const CODE_TRIES = 5

export const noticeSettings = (context: StoreContext) => ({
  async of(npi: string): Promise<NoticeSetting> {
    const row = await context.db
      .selectFrom('noticeSetting')
      .select(['mode', 'hour', 'timeZone', 'address', 'unconfirmed', 'enteredAt'])
      .where('npi', '=', npi)
      .executeTakeFirst()
    return row ?? NOTHING_CHOSEN
  },

  /** Sets when notices come, and, with `address`, where they go. Documents that wait now are included from then on. */
  choose: (
    npi: string,
    { address, ...choice }: NoticeChoice & { address?: string | null },
    newKey: string,
    change: NoticeChange,
  ): Promise<void> =>
    inTransaction(context, async (inside) => {
      const set = { ...choice, ...(address !== undefined && { ...ENTERED_NOTHING, address }) }
      await put(inside, npi, set, newKey, change)
      await oweWhatWaits(inside, npi, change.at)
    }),

  /** Ends the notices of a signer until an address is given again. */
  removeAddress: (npi: string, { by, at }: NoticeChange): Promise<void> =>
    inTransaction(context, async (inside) => {
      const set = { ...ENTERED_NOTHING, address: null, updatedAt: at.toISOString() }
      await inside.db.updateTable('noticeSetting').set(set).where('npi', '=', npi).execute()
      inside.audit({ action: 'notices.update', by, at, organizationId: null, subject: npi })
      await oweWhatWaits(inside, npi, at)
    }),

  /** Owes the signer an e-mail with a code to this address, which nothing else is sent to before it is confirmed. */
  enter: (npi: string, unconfirmed: string, newKey: string, change: NoticeChange): Promise<void> =>
    inTransaction(context, async (inside) => {
      const entered = { ...ENTERED_NOTHING, unconfirmed, enteredAt: change.at.toISOString() }
      await put(inside, npi, entered, newKey, change)
      await owe(inside.db, { npi, kind: 'code' }, change.at, true)
    }),

  /** Owes the signer a notice of what waits, due now. False when the signer gets no notices. */
  remind: (npi: string, { by, at }: NoticeChange): Promise<boolean> =>
    inTransaction(context, async (inside) => {
      const setting = await inside.db
        .selectFrom('noticeSetting')
        .select('npi')
        .where('npi', '=', npi)
        .where('address', 'is not', null)
        .where('mode', '<>', 'off')
        .executeTakeFirst()
      if (!setting) return false
      await owe(inside.db, { npi, kind: 'waiting' }, at, true)
      inside.audit({ action: 'notices.remind', by, at, organizationId: null, subject: npi })
      return true
    }),

  /** `ended`: there is no code that would do, because its time is over, it was tried too often, or none was sent yet. */
  confirm: (npi: string, code: string, change: NoticeChange): Promise<Confirmation> =>
    inTransaction(context, (inside) => confirm(inside, npi, code, change)),

  /** Ends the notices of the signer whose key it is. False when there is none. */
  turnOff: (offKey: string, { by, at }: NoticeChange): Promise<boolean> =>
    inTransaction(context, async (inside) => {
      const row = await inside.db
        .updateTable('noticeSetting')
        .set({ mode: 'off', updatedAt: at.toISOString() })
        .where('offKey', '=', offKey)
        .returning('npi')
        .executeTakeFirst()
      if (!row) return false
      inside.audit({ action: 'notices.update', by, at, organizationId: null, subject: row.npi })
      return true
    }),
})

const ENTERED_NOTHING = { unconfirmed: null, enteredAt: null, codeDigest: null, codeEndsAt: null, codeTries: 0 }

type Columns = Partial<NoticeSetting & { codeDigest: null; codeEndsAt: null; codeTries: number }>

async function put(inside: TransactionContext, npi: string, set: Columns, offKey: string, { by, at }: NoticeChange) {
  const changed = { ...set, updatedAt: at.toISOString() }
  await inside.db
    .insertInto('noticeSetting')
    .values({ npi, ...NOTHING_CHOSEN, ...ENTERED_NOTHING, offKey, ...changed })
    .onConflict((conflict) => conflict.column('npi').doUpdateSet(changed))
    .execute()
  await watchBeginnings(inside, npi, at)
  inside.audit({ action: 'notices.update', by, at, organizationId: null, subject: npi })
}

async function confirm(inside: TransactionContext, npi: string, code: string, { by, at }: NoticeChange) {
  const { db, locksRows, cipher } = inside
  const query = db.selectFrom('noticeSetting').selectAll().where('npi', '=', npi)
  const row = await (locksRows ? query.forUpdate() : query).executeTakeFirst()
  if (!row?.codeDigest || row.codeEndsAt! <= at.toISOString() || row.codeTries >= CODE_TRIES) return 'ended'
  const update = db.updateTable('noticeSetting').where('npi', '=', npi)
  if (cipher.index(code, bindings.noticeCode(npi)) !== row.codeDigest) {
    await update.set({ codeTries: row.codeTries + 1 }).execute()
    return 'wrong'
  }
  // Who confirms an address wants to be notified of something.
  const mode: NoticeMode = row.mode === 'off' ? 'soon' : row.mode
  await update.set({ ...ENTERED_NOTHING, address: row.unconfirmed, mode, updatedAt: at.toISOString() }).execute()
  inside.audit({ action: 'notices.update', by, at, organizationId: null, subject: npi })
  await oweWhatWaits(inside, npi, at)
  return 'confirmed'
}

/** Notices owed under the earlier setting are owed no more. */
async function oweWhatWaits({ db }: TransactionContext, npi: string, at: Date): Promise<void> {
  const setting = await db
    .selectFrom('noticeSetting')
    .select(['mode', 'hour', 'timeZone', 'address'])
    .where('npi', '=', npi)
    .executeTakeFirstOrThrow()
  const due = setting.address === null ? null : noticeDue(setting, at)
  const which = { npi, kind: 'waiting' } as const
  if (due && (await isWaitingFor(db, { npi, at }))) return owe(db, which, due, true)
  await db
    .deleteFrom('owedNotice')
    .where((where) => where.and(which))
    .execute()
}

async function isWaitingFor(db: StoreContext['db'], signer: StandIn): Promise<boolean> {
  const query = db
    .selectFrom('task')
    .select('id')
    .where('signerNpi', 'in', [signer.npi, ...(await stoodInFor(db, signer))])
    .where(({ eb, or }) => or([eb('signerNpi', '=', signer.npi), standsInForSignerOf('task', signer)]))
    .where('status', '=', 'Pending')
    .limit(1)
  return (await query.executeTakeFirst()) !== undefined
}
