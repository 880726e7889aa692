/**
 * Uses up the codes of second factors, in the transaction of what a code allows: so it allows one thing, no matter how many processes
 * are asked at once.
 */
import type { Actor } from '../../domain/audit.ts'
import type { TransactionContext } from '../context.ts'
import { genuine } from '../rows/row-macs.ts'
import { bindings } from '../sealing/bindings.ts'

/** A code as entered. */
export type Code =
  /** `stepOf` returns the time step of the code under the secret; null when it is of none that is near now and after `last`. */
  { kind: 'app'; stepOf(secret: Uint8Array, last: number): number | null } | { kind: 'recovery'; text: string }

export type AppCode = Extract<Code, { kind: 'app' }>

/** The person whose second factor is changed, when, and by whom. */
export interface Change {
  personId: number
  at: Date
  by: Actor
}

/** Uses up a code, and returns whether it was right. */
export async function spend(inside: TransactionContext, { personId, code, at, by }: Change & { code: Code }) {
  const { db, cipher, locksRows } = inside
  const query = db.selectFrom('secondFactor').selectAll().where('personId', '=', personId)
  const found = await (locksRows ? query.forUpdate() : query).executeTakeFirst()
  if (!found) inside.rows.report({ table: 'secondFactor', id: String(personId) })
  const factor = genuine(inside, 'secondFactor', found)
  if (!factor) return false
  if (code.kind === 'app') {
    const lastStep = code.stepOf(cipher.open(factor.sealedSecret, bindings.secondFactor(personId)), factor.lastStep)
    if (lastStep === null) return false
    await db.updateTable('secondFactor').set({ lastStep }).where('personId', '=', personId).execute()
    return true
  }
  const used = await db
    .deleteFrom('recoveryCode')
    .where('personId', '=', personId)
    .where('digest', '=', digestOf(inside, personId, code.text))
    .returning('digest')
    .execute()
  if (used.length === 0) return false
  inside.audit({
    action: 'second-factor.recover',
    by,
    at,
    organizationId: await homeOf(inside, personId),
    subject: personId,
  })
  return true
}

/** The organization of a person, for the audit log. */
export async function homeOf({ db }: TransactionContext, id: number): Promise<number | null> {
  const query = db.selectFrom('person').select('organizationId').where('id', '=', id)
  return (await query.executeTakeFirst())?.organizationId ?? null
}

/** Returns the stored digest of a recovery code. */
export const digestOf = ({ cipher }: TransactionContext, personId: number, text: string): string =>
  cipher.index(text, bindings.recoveryCode(personId))
