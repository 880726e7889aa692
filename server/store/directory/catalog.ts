/** Document types, which all senders share, and templates, which belong to one organization and whose texts are sealed. */
import type { Insertable, Updateable } from 'kysely'
import type { DocumentType, Template } from '../../../lib/contract/catalog.ts'
import type { Field } from '../../../lib/pdf/placement/placement.ts'
import { type Actor, type AuditAction, SERVICE } from '../../domain/audit.ts'
import type { TemplateRules } from '../../domain/task/rules.ts'
import { inTransaction, type StoreContext } from '../context.ts'
import { bindings } from '../sealing/bindings.ts'
import { openJson, sealJson } from '../sealing/sealed-json.ts'
import { flag } from '../sql/flag.ts'
import type { Schema } from '../sql/schema.ts'

export type StoredTemplate = Template & TemplateRules & { fields: Field[] }
export type NewTemplate = Omit<StoredTemplate, 'templateId'> & { templateId?: number; organizationId: number }

type TemplateTexts = Pick<StoredTemplate, 'summary' | 'clinicalDateLabel' | 'fields'>

export function documentTypes(context: StoreContext) {
  const { db } = context
  return {
    list: (): Promise<DocumentType[]> =>
      db.selectFrom('documentType').select(['id', 'name', 'category']).orderBy('id').execute(),

    async has(id: number): Promise<boolean> {
      return (await db.selectFrom('documentType').select('id').where('id', '=', id).executeTakeFirst()) !== undefined
    },

    create: (type: Omit<DocumentType, 'id'> & { id?: number }, at: Date, by: Actor = SERVICE): Promise<number> =>
      inTransaction(context, async (inside) => {
        const row = await inside.db.insertInto('documentType').values(type).returning('id').executeTakeFirstOrThrow()
        if (type.id !== undefined) await context.countOn(inside.db, 'document_type')
        inside.audit({ action: 'document-type.create', by, at, organizationId: null, subject: row.id })
        return row.id
      }),
  }
}

export function templates(context: StoreContext, organizationId: number, by: Actor = SERVICE) {
  const { db, countOn } = context
  const rows = () => db.selectFrom('template').selectAll().where('organizationId', '=', organizationId)
  type Row = Awaited<ReturnType<ReturnType<typeof rows>['execute']>>[number]
  const read = (row: Row): StoredTemplate => ({
    templateId: row.id,
    ...openJson<TemplateTexts>(context, row.sealed, bindings.template(organizationId, row.id)),
    diagnosisCodeAllowed: row.diagnosisCodeAllowed === 1,
    diagnosisCodeRequired: row.diagnosisCodeRequired === 1,
    pdfRequired: row.pdfRequired === 1,
    isCustomTemplate: row.isCustom === 1,
    daysBefore: row.daysBefore,
    daysAfter: row.daysAfter,
  })
  const sealed = ({ summary, clinicalDateLabel, fields }: TemplateTexts, id: number) =>
    sealJson(context, { summary, clinicalDateLabel, fields }, bindings.template(organizationId, id))
  const offered = () => rows().where('retiredAt', 'is', null)
  const change = (templateId: number, columns: Updateable<Schema['template']>, action: AuditAction, at: Date) =>
    inTransaction(context, async (inside) => {
      const { numUpdatedRows } = await inside.db
        .updateTable('template')
        .set(columns)
        .where('id', '=', templateId)
        .where('organizationId', '=', organizationId)
        .where('retiredAt', 'is', null)
        .executeTakeFirst()
      if (numUpdatedRows === 0n) return false
      inside.audit({ action, by, at, organizationId, subject: templateId })
      return true
    })

  return {
    /** Those that are offered: new tasks may use them. */
    async list(): Promise<StoredTemplate[]> {
      return (await offered().orderBy('id').execute()).map(read)
    },

    async findOffered(templateId: number): Promise<StoredTemplate | null> {
      const row = await offered().where('id', '=', templateId).executeTakeFirst()
      return row ? read(row) : null
    },

    /** A retired one too: tasks that were made with it go on. */
    async find(templateId: number): Promise<StoredTemplate | null> {
      const row = await rows().where('id', '=', templateId).executeTakeFirst()
      return row ? read(row) : null
    },

    create: ({ templateId, ...template }: Omit<NewTemplate, 'organizationId'>, at: Date): Promise<number> =>
      inTransaction(context, async (inside) => {
        const { id } = await inside.db
          .insertInto('template')
          .values({
            ...(templateId !== undefined && { id: templateId }),
            organizationId: organizationId,
            sealed: new Uint8Array(),
            ...columnsOf(template),
          })
          .returning('id')
          .executeTakeFirstOrThrow()
        // What the texts are bound to has the id in it.
        await inside.db
          .updateTable('template')
          .set({ sealed: sealed(template, id) })
          .where('id', '=', id)
          .execute()
        if (templateId !== undefined) await countOn(inside.db, 'template')
        inside.audit({ action: 'template.create', by, at, organizationId, subject: id })
        return id
      }),

    /** For the documents that are received from now on. False when there is no such template, or when it is retired. */
    update: (templateId: number, template: Omit<StoredTemplate, 'templateId'>, at: Date): Promise<boolean> =>
      change(templateId, { ...columnsOf(template), sealed: sealed(template, templateId) }, 'template.update', at),

    /** From now on no new task may use it. False when there is no such template, or when it is retired already. */
    retire: (templateId: number, at: Date): Promise<boolean> =>
      change(templateId, { retiredAt: at.toISOString() }, 'template.retire', at),
  }
}

type TemplateColumns = Omit<Insertable<Schema['template']>, 'id' | 'organizationId' | 'retiredAt' | 'sealed'>
const columnsOf = (template: Omit<StoredTemplate, 'templateId' | keyof TemplateTexts>): TemplateColumns => ({
  diagnosisCodeAllowed: flag(template.diagnosisCodeAllowed),
  diagnosisCodeRequired: flag(template.diagnosisCodeRequired),
  pdfRequired: flag(template.pdfRequired),
  isCustom: flag(template.isCustomTemplate),
  daysBefore: template.daysBefore,
  daysAfter: template.daysAfter,
})
