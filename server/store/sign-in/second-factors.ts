/** Second factors: a sealed secret for each person, and recovery codes as digests. A change locks the row of the person first. */
import { inTransaction, type StoreContext, type TransactionContext } from '../context.ts'
import { genuine } from '../rows/row-macs.ts'
import { addNewRow, changeRows, deleteRows } from '../rows/write-rows.ts'
import { bindings } from '../sealing/bindings.ts'
import { type AppCode, type Change, type Code, digestOf, homeOf, spend } from './spend.ts'

export interface Offer extends Change {
  /** Digest of the session or step that may accept it. */
  holder: string
  secret: Uint8Array
  /** The code of the second factor that is to be replaced; null when there is none. */
  code: Code | null
  expiresAt: Date
}

export interface Enrolment extends Change {
  holder: string
  /** Shows that the authenticator app has the offered secret. */
  code: AppCode
  /** In the form in which they are entered. */
  recoveryCodes: readonly string[]
}

export interface Renewal extends Change {
  code: Code
  /** In the form in which they are entered. */
  recoveryCodes: readonly string[]
  /** Digest of the session that stays. */
  keep: string
}

export interface SecondFactor {
  isOn: boolean
  /** How many were not used yet. */
  recoveryCodes: number
}

export function secondFactors(context: StoreContext) {
  const { db } = context
  return {
    async of(personId: number): Promise<SecondFactor> {
      const codes = db.selectFrom('recoveryCode').select('digest').where('personId', '=', personId)
      return { isOn: await hasSecondFactor(context, personId), recoveryCodes: (await codes.execute()).length }
    },

    /** The ids of the people who have one. */
    async owners(): Promise<Set<number>> {
      const rows = await db.selectFrom('person').select('id').where('hasSecondFactor', '=', 1).execute()
      return new Set(rows.map(({ id }) => id))
    },

    /** Keeps a secret to be confirmed. Resolves with false when the code of the present second factor is missing or wrong. */
    offer: (offer: Offer): Promise<boolean> => inTransaction(context, (inside) => keepOffer(inside, offer)),

    /** Resolves with false when there is no offer, or the code is not of its secret. Ends every session but the holder. */
    enrol: (enrolment: Enrolment): Promise<boolean> =>
      inTransaction(
        context,
        async (inside) => (await lockedPerson(inside, enrolment.personId)) && enrol(inside, enrolment),
      ),

    /** Puts new recovery codes in the place of all that are left. Otherwise as `turnOff`. */
    renewCodes: (renewal: Renewal): Promise<boolean> =>
      inTransaction(
        context,
        async (inside) =>
          (await lockedPerson(inside, renewal.personId)) &&
          (await spend(inside, renewal)) &&
          renewCodes(inside, renewal),
      ),

    /** Resolves with false when the code is wrong. Ends every session but that of the digest `keep`. */
    turnOff: (change: Change & { code: Code; keep: string }): Promise<boolean> =>
      inTransaction(
        context,
        async (inside) =>
          (await lockedPerson(inside, change.personId)) && (await spend(inside, change)) && takeAway(inside, change),
      ),

    /**
     * Removes the second factor without a code, as an operator does. Ends every session. Resolves with false when there is
     * none.
     */
    remove: (change: Change): Promise<boolean> =>
      inTransaction(
        context,
        async (inside) => (await lockedPerson(inside, change.personId)) && takeAway(inside, { ...change, keep: '' }),
      ),
  }
}

/** Makes an offer that was confirmed the second factor. Inside a transaction that locked the person. */
export async function enrol(inside: TransactionContext, enrolment: Enrolment): Promise<boolean> {
  const { db, cipher } = inside
  const { personId, holder, code, recoveryCodes, at, by } = enrolment
  const found = await db
    .selectFrom('secondFactorOffer')
    .selectAll()
    .where('personId', '=', personId)
    .where('holder', '=', holder)
    .where('expiresAt', '>', at.toISOString())
    .executeTakeFirst()
  const offer = genuine(inside, 'secondFactorOffer', found)
  const secret = offer && cipher.open(offer.sealedSecret, bindings.secondFactorOffer(personId))
  const lastStep = secret ? code.stepOf(secret, 0) : null
  if (!secret || lastStep === null) return false
  await forgetSecondFactor(inside, personId)
  const sealedSecret = cipher.seal(secret, bindings.secondFactor(personId))
  await addNewRow(inside, 'secondFactor', { personId, sealedSecret, lastStep, since: at.toISOString() })
  await changeRows(inside, 'person', (rows) => rows.where('id', '=', personId), { hasSecondFactor: 1 })
  await keepCodes(inside, personId, recoveryCodes)
  await endOthers(inside, personId, holder)
  inside.audit({
    action: 'second-factor.enrol',
    by,
    at,
    organizationId: await homeOf(inside, personId),
    subject: personId,
  })
  return true
}

async function renewCodes(inside: TransactionContext, { personId, recoveryCodes, keep, at, by }: Renewal) {
  await inside.db.deleteFrom('recoveryCode').where('personId', '=', personId).execute()
  await keepCodes(inside, personId, recoveryCodes)
  await endOthers(inside, personId, keep)
  inside.audit({
    action: 'second-factor.renew',
    by,
    at,
    organizationId: await homeOf(inside, personId),
    subject: personId,
  })
  return true
}

async function keepCodes(inside: TransactionContext, personId: number, codes: readonly string[]): Promise<void> {
  const digests = codes.map((text) => ({ personId, digest: digestOf(inside, personId, text) }))
  await inside.db.insertInto('recoveryCode').values(digests).execute()
}

/** Returns what the account says: true also where the row of the second factor was removed, so that a code is still asked for. */
export async function hasSecondFactor(context: StoreContext, personId: number): Promise<boolean> {
  const row = await context.db.selectFrom('person').selectAll().where('id', '=', personId).executeTakeFirst()
  return genuine(context, 'person', row)?.hasSecondFactor !== 0
}

/** Ends the sign-ins of a person that lack something. */
export async function endSteps({ db }: TransactionContext, personId: number): Promise<void> {
  await db.deleteFrom('signInStep').where('personId', '=', personId).execute()
}

/** Leaves nothing of a second factor, neither of the one in use nor of an offer. */
export async function forgetSecondFactor(inside: TransactionContext, personId: number): Promise<void> {
  const hadIt = await changeRows(
    inside,
    'person',
    (rows) => rows.where('id', '=', personId).where('hasSecondFactor', '=', 1),
    { hasSecondFactor: 0 },
  )
  await deleteRows(inside, 'secondFactor', (rows) => rows.where('personId', '=', personId))
  // Also where another person has removed the row: the audit log no longer expects it.
  if (hadIt.length > 0) inside.wrote('secondFactor', { personId, mac: null })
  for (const table of ['recoveryCode', 'secondFactorOffer'] as const)
    await inside.db.deleteFrom(table).where('personId', '=', personId).execute()
}

async function keepOffer(inside: TransactionContext, offer: Offer): Promise<boolean> {
  const { db, cipher } = inside
  const { personId, holder, secret, code, at, expiresAt } = offer
  if (!(await lockedPerson(inside, personId))) return false
  const isRight = code === null ? !(await hasSecondFactor(inside, personId)) : await spend(inside, { ...offer, code })
  if (!isRight) return false
  const isOver = db
    .deleteFrom('secondFactorOffer')
    .where(({ eb, or }) => or([eb('personId', '=', personId), eb('expiresAt', '<=', at.toISOString())]))
  await isOver.execute()
  const sealedSecret = cipher.seal(secret, bindings.secondFactorOffer(personId))
  const row = { personId, holder, sealedSecret, expiresAt: expiresAt.toISOString() }
  await addNewRow(inside, 'secondFactorOffer', row)
  return true
}

async function takeAway(inside: TransactionContext, { personId, at, by, keep }: Change & { keep: string }) {
  if (!(await hasSecondFactor(inside, personId))) return false
  await forgetSecondFactor(inside, personId)
  await endOthers(inside, personId, keep)
  inside.audit({
    action: 'second-factor.remove',
    by,
    at,
    organizationId: await homeOf(inside, personId),
    subject: personId,
  })
  return true
}

/** Ends the person's sessions, except the one of the digest `keep`, and every sign-in that lacks something. */
async function endOthers(inside: TransactionContext, personId: number, keep: string): Promise<void> {
  await inside.db.deleteFrom('session').where('personId', '=', personId).where('digest', '<>', keep).execute()
  await endSteps(inside, personId)
}

/** Makes changes of one person's second factor wait for each other. Resolves with false when the account has ended. */
async function lockedPerson({ db, locksRows }: TransactionContext, id: number): Promise<boolean> {
  const query = db.selectFrom('person').select('id').where('id', '=', id).where('removedAt', 'is', null)
  return (await (locksRows ? query.forUpdate() : query).executeTakeFirst()) !== undefined
}
