/** Document types, which all senders share. */
import type { DocumentType } from '../../../lib/contract/catalog.ts'
import { type Actor, SERVICE } from '../../domain/audit.ts'
import { inTransaction, type StoreContext } from '../context.ts'

/** A document type without an id gets the next one. */
export type NewDocumentType = Omit<DocumentType, 'id'> & { id?: number }

export const documentTypes = (context: StoreContext) => ({
  list: (): Promise<DocumentType[]> =>
    context.db.selectFrom('documentType').select(['id', 'name', 'category']).orderBy('id').execute(),

  async has(id: number): Promise<boolean> {
    const row = await context.db.selectFrom('documentType').select('id').where('id', '=', id).executeTakeFirst()
    return row !== undefined
  },

  /** Returns the id. */
  create: (type: NewDocumentType, at: Date, by: Actor = SERVICE): Promise<number> =>
    inTransaction(context, async (inside) => {
      const { id } = await inside.db.insertInto('documentType').values(type).returning('id').executeTakeFirstOrThrow()
      if (type.id !== undefined) await inside.countOn(inside.db, 'document_type')
      inside.audit({ action: 'document-type.create', by, at, organizationId: null, subject: id })
      return id
    }),
})
