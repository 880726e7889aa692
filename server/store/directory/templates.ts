/** Templates, which belong to one organization and whose texts are sealed. */
import type { Insertable, Selectable, Updateable } from 'kysely'
import type { Template } from '../../../lib/contract/catalog.ts'
import type { Field } from '../../../lib/pdf/placement/placement.ts'
import { type Actor, SERVICE } from '../../domain/audit.ts'
import type { TemplateRules } from '../../domain/task/rules.ts'
import type { Exceptions } from '../../domain/task/signature-place.ts'
import { inTransaction, type StoreContext, type TransactionContext } from '../context.ts'
import { bindings, UNBOUND } from '../sealing/bindings.ts'
import { openJson, sealJson } from '../sealing/sealed-json.ts'
import { flag } from '../sql/flag.ts'
import type { Schema } from '../sql/schema.ts'
import { dropSample, hasSample, keepSample, sampleOf } from './template-sample.ts'

export type StoredTemplate = Template & TemplateRules & Exceptions & { fields: Field[] }
export type NewTemplate = Omit<StoredTemplate, 'templateId'> & { templateId?: number; organizationId: number }

/** The texts that people wrote. */
type TemplateTexts = Pick<StoredTemplate, 'summary' | 'clinicalDateLabel' | 'fields'>

export function templates(context: StoreContext, organizationId: number, by: Actor = SERVICE) {
  return {
    /** Returns the templates that new tasks may use. */
    async list(): Promise<StoredTemplate[]> {
      const rows = await offered(context, organizationId).orderBy('id').execute()
      return rows.map((row) => templateOf(context, row))
    },

    async findOffered(templateId: number): Promise<StoredTemplate | null> {
      const row = await offered(context, organizationId).where('id', '=', templateId).executeTakeFirst()
      return row ? templateOf(context, row) : null
    },

    /** A retired one too: tasks that were made with it continue. */
    async find(templateId: number): Promise<StoredTemplate | null> {
      const row = await all(context, organizationId).where('id', '=', templateId).executeTakeFirst()
      return row ? templateOf(context, row) : null
    },

    /** Returns the id. Without one, the database counts it up. */
    create: (template: Omit<NewTemplate, 'organizationId'>, at: Date): Promise<number> =>
      inTransaction(context, async (inside) => {
        const id = await insert(inside, organizationId, template)
        inside.audit({ action: 'template.create', by, at, organizationId, subject: id })
        return id
      }),

    /**
     * Changes a template for documents that are received from now on. False when there is no such template, or when it is
     * retired.
     */
    update: (templateId: number, template: Omit<StoredTemplate, 'templateId'>, at: Date): Promise<boolean> => {
      const sealed = sealTexts(context, organizationId, templateId, template)
      return inTransaction(context, async (inside) => {
        const columns = { ...columnsOf(template), sealed }
        if (!(await changeOffered(inside, organizationId, templateId, columns))) return false
        inside.audit({ action: 'template.update', by, at, organizationId, subject: templateId })
        return true
      })
    },

    /** Keeps new tasks from using a template. False when there is no such template, or when it is retired already. */
    retire: (templateId: number, at: Date): Promise<boolean> =>
      inTransaction(context, async (inside) => {
        if (!(await changeOffered(inside, organizationId, templateId, { retiredAt: at.toISOString() }))) return false
        await dropSample(inside, templateId)
        inside.audit({ action: 'template.retire', by, at, organizationId, subject: templateId })
        return true
      }),

    /** The PDF on which the fields were placed, of a template that is offered; null when none is kept. */
    sample: (templateId: number): Promise<Buffer | null> => sampleOf(context, templateId),

    hasSample: (templateId: number): Promise<boolean> => hasSample(context, templateId),

    keepSample: (templateId: number, pdf: Uint8Array, at: Date): Promise<void> =>
      inTransaction(context, async (inside) => {
        await keepSample(inside, templateId, pdf)
        inside.audit({ action: 'template.sample', by, at, organizationId, subject: templateId })
      }),
  }
}

const all = ({ db }: StoreContext, organizationId: number) =>
  db.selectFrom('template').selectAll().where('organizationId', '=', organizationId)

const offered = (context: StoreContext, organizationId: number) =>
  all(context, organizationId).where('retiredAt', 'is', null)

async function insert(
  inside: TransactionContext,
  organizationId: number,
  { templateId, ...template }: Omit<NewTemplate, 'organizationId'>,
): Promise<number> {
  const { id } = await inside.db
    .insertInto('template')
    .values({
      ...(templateId !== undefined && { id: templateId }),
      organizationId,
      sealed: UNBOUND,
      ...columnsOf(template),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const sealed = sealTexts(inside, organizationId, id, template)
  await inside.db.updateTable('template').set({ sealed }).where('id', '=', id).execute()
  if (templateId !== undefined) await inside.countOn(inside.db, 'template')
  return id
}

/** False when the organization offers no such template. */
async function changeOffered(
  { db }: TransactionContext,
  organizationId: number,
  templateId: number,
  columns: Updateable<Schema['template']>,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('template')
    .set(columns)
    .where('id', '=', templateId)
    .where('organizationId', '=', organizationId)
    .where('retiredAt', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

const templateOf = (context: StoreContext, row: Selectable<Schema['template']>): StoredTemplate => ({
  templateId: row.id,
  ...openJson<TemplateTexts>(context, row.sealed, bindings.template(row.organizationId, row.id)),
  diagnosisCodeAllowed: row.diagnosisCodeAllowed === 1,
  diagnosisCodeRequired: row.diagnosisCodeRequired === 1,
  pdfRequired: row.pdfRequired === 1,
  isCustomTemplate: row.isCustom === 1,
  daysBefore: row.daysBefore,
  daysAfter: row.daysAfter,
  signatureRule: row.signatureRule,
  coversTokens: row.coversTokens === null ? null : row.coversTokens === 1,
})

const sealTexts = (
  context: StoreContext,
  organizationId: number,
  id: number,
  { summary, clinicalDateLabel, fields }: TemplateTexts,
) => sealJson(context, { summary, clinicalDateLabel, fields }, bindings.template(organizationId, id))

type TemplateColumns = Omit<Insertable<Schema['template']>, 'id' | 'organizationId' | 'retiredAt' | 'sealed'>
const columnsOf = (template: Omit<StoredTemplate, 'templateId' | keyof TemplateTexts>): TemplateColumns => ({
  diagnosisCodeAllowed: flag(template.diagnosisCodeAllowed),
  diagnosisCodeRequired: flag(template.diagnosisCodeRequired),
  pdfRequired: flag(template.pdfRequired),
  isCustom: flag(template.isCustomTemplate),
  daysBefore: template.daysBefore,
  daysAfter: template.daysAfter,
  signatureRule: template.signatureRule,
  coversTokens: template.coversTokens === null ? null : flag(template.coversTokens),
})
