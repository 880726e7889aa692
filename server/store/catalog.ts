/** Document types, which all senders share, and templates, which belong to one organization. */
import type { DocumentType, Template } from '../../lib/contract/catalog.ts'
import type { Field } from '../../lib/pdf/placement.ts'
import type { TemplateRules } from '../domain/rules.ts'
import { flag, type StoreContext } from './context.ts'

export type StoredTemplate = Template & TemplateRules & { fields: Field[] }
export type NewTemplate = Omit<StoredTemplate, 'templateId'> & { templateId?: number; organizationId: number }

export function documentTypes({ db, countOn }: StoreContext) {
  return {
    list: (): Promise<DocumentType[]> =>
      db.selectFrom('document_type').select(['id', 'name', 'category']).orderBy('id').execute(),

    async has(id: number): Promise<boolean> {
      return (await db.selectFrom('document_type').select('id').where('id', '=', id).executeTakeFirst()) !== undefined
    },

    async create(type: Omit<DocumentType, 'id'> & { id?: number }): Promise<number> {
      const { id } = await db.insertInto('document_type').values(type).returning('id').executeTakeFirstOrThrow()
      if (type.id !== undefined) await countOn(db, 'document_type')
      return id
    },
  }
}

export function templates({ db, countOn }: StoreContext, organizationId: number) {
  const rows = () => db.selectFrom('template').selectAll().where('organization_id', '=', organizationId)
  type Row = Awaited<ReturnType<ReturnType<typeof rows>['execute']>>[number]
  const read = (row: Row): StoredTemplate => ({
    templateId: row.id,
    summary: row.summary,
    clinicalDateLabel: row.clinical_date_label,
    diagnosisCodeAllowed: row.diagnosis_code_allowed === 1,
    diagnosisCodeRequired: row.diagnosis_code_required === 1,
    pdfRequired: row.pdf_required === 1,
    isCustomTemplate: row.is_custom === 1,
    daysBefore: row.days_before,
    daysAfter: row.days_after,
    fields: JSON.parse(row.fields) as Field[],
  })

  return {
    async list(): Promise<StoredTemplate[]> {
      return (await rows().orderBy('id').execute()).map(read)
    },

    async find(templateId: number): Promise<StoredTemplate | null> {
      const row = await rows().where('id', '=', templateId).executeTakeFirst()
      return row ? read(row) : null
    },

    async create({ templateId, ...template }: Omit<NewTemplate, 'organizationId'>): Promise<number> {
      const { id } = await db
        .insertInto('template')
        .values({
          ...(templateId !== undefined && { id: templateId }),
          organization_id: organizationId,
          summary: template.summary,
          clinical_date_label: template.clinicalDateLabel,
          diagnosis_code_allowed: flag(template.diagnosisCodeAllowed),
          diagnosis_code_required: flag(template.diagnosisCodeRequired),
          pdf_required: flag(template.pdfRequired),
          is_custom: flag(template.isCustomTemplate),
          days_before: template.daysBefore,
          days_after: template.daysAfter,
          fields: JSON.stringify(template.fields),
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      if (templateId !== undefined) await countOn(db, 'template')
      return id
    },
  }
}
