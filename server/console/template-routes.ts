/** The console's templates: listed, and made from the fields that somebody dragged onto a sample. The sample never comes here. */

import { Refusal } from '../domain/refusal.ts'
import type { PageApi } from '../http/page-api.ts'
import { parse } from '../http/parse.ts'
import type { StoredTemplate } from '../store/catalog.ts'
import type { Visitor } from '../store/people.ts'
import type { Store } from '../store/store.ts'
import { type ListedTemplate, TemplateBody } from './messages.ts'
import { scopeOf } from './task-routes.ts'

export function templateRoutes({ serve }: PageApi, store: Pick<Store, 'organizations' | 'forOrganization'>): void {
  /** Senders of the visitor: those who may have templates. */
  const organizationsOf = async (visitor: Visitor) => {
    const scope = scopeOf(visitor)
    const all = await store.organizations.list()
    return all.filter(({ id, ingestionEnabled }) => (scope === null ? ingestionEnabled : id === scope))
  }

  serve('get', '/senders', async ({ visitor }) =>
    (await organizationsOf(visitor)).map(({ id, name }) => ({ id, name })),
  )

  serve('get', '/templates', async ({ visitor, by }): Promise<ListedTemplate[]> => {
    const lists = (await organizationsOf(visitor)).map(async ({ id, name }) =>
      (await store.forOrganization(id, by).templates.list()).map((template) => listed(template, id, name)),
    )
    return (await Promise.all(lists)).flat()
  })

  serve('post', '/templates', async ({ visitor, by, body }) => {
    const { organizationId, diagnosisCode, fields, daysBefore, daysAfter, ...rest } = parse(TemplateBody, body)
    if (!(await organizationsOf(visitor)).some(({ id }) => id === organizationId))
      throw new Refusal('forbidden', 'organizationId: not an organization that you make templates for')
    const templateId = await store.forOrganization(organizationId, by).templates.create({
      ...rest,
      diagnosisCodeAllowed: diagnosisCode !== 'none',
      diagnosisCodeRequired: diagnosisCode === 'required',
      pdfRequired: true,
      isCustomTemplate: true,
      daysBefore: daysBefore ?? null,
      daysAfter: daysAfter ?? null,
      fields: fields.map((field) => ({ ...field, value: field.type === 'TextArea' ? (field.value ?? null) : null })),
    })
    return { templateId }
  })
}

const listed = (template: StoredTemplate, organizationId: number, organization: string): ListedTemplate => ({
  templateId: template.templateId,
  organizationId,
  organization,
  summary: template.summary,
  clinicalDateLabel: template.clinicalDateLabel,
  diagnosisCode: template.diagnosisCodeRequired ? 'required' : template.diagnosisCodeAllowed ? 'allowed' : 'none',
  daysBefore: template.daysBefore,
  daysAfter: template.daysAfter,
  fields: template.fields.length,
})
