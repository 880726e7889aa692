/** The PDF on which the fields of a template were placed. Sealed, and apart from the template, so that no list loads it. */
import type { StoreContext, TransactionContext } from '../context.ts'
import { bindings } from '../sealing/bindings.ts'

export async function keepSample(
  { db, cipher }: TransactionContext,
  templateId: number,
  pdf: Uint8Array,
): Promise<void> {
  const sealed = await cipher.sealLarge(pdf, bindings.templateSample(templateId))
  await db
    .insertInto('templateSample')
    .values({ templateId, sealed })
    .onConflict((conflict) => conflict.column('templateId').doUpdateSet({ sealed }))
    .execute()
}

/** Callers have established whose template it is. */
export async function sampleOf({ db, cipher }: StoreContext, templateId: number): Promise<Buffer | null> {
  const row = await db
    .selectFrom('templateSample')
    .select('sealed')
    .where('templateId', '=', templateId)
    .executeTakeFirst()
  return row ? cipher.openLarge(row.sealed, bindings.templateSample(templateId)) : null
}

export async function hasSample({ db }: StoreContext, templateId: number): Promise<boolean> {
  const query = db.selectFrom('templateSample').select('templateId').where('templateId', '=', templateId)
  return (await query.executeTakeFirst()) !== undefined
}

/** No one edits a template that is retired. */
export async function dropSample({ db }: TransactionContext, templateId: number): Promise<void> {
  await db.deleteFrom('templateSample').where('templateId', '=', templateId).execute()
}
