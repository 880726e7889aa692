/** The console's templates: listed, made from the fields that somebody placed on a sample, edited and retired. The sample never comes here. */

import type * as z from 'zod'
import { type Clock, timeOf } from '../../lib/clock.ts'
import { prefilled } from '../../lib/contract/field-kinds.ts'
import { Refusal } from '../domain/refusal.ts'
import type { PageApi, PageCall } from '../http/page-api.ts'
import { parse } from '../http/parse.ts'
import type { StoredTemplate } from '../store/catalog.ts'
import type { Visitor } from '../store/people.ts'
import type { Store } from '../store/store.ts'
import { type ListedTemplate, TemplateBody, TemplateChangeBody, type TemplateFile } from './messages.ts'
import { scopeOf } from './task-routes.ts'

type TemplateStore = Pick<Store, 'organizations' | 'forOrganization'>

export function templateRoutes({ serve }: PageApi, store: TemplateStore, clock: Clock): void {
  /** Senders of the visitor: those who may have templates. */
  const organizationsOf = async (visitor: Visitor) => {
    const scope = scopeOf(visitor)
    const all = await store.organizations.list()
    return all.filter(({ id, ingestionEnabled }) => (scope === null ? ingestionEnabled : id === scope))
  }
  /** The template of the path, and the templates of its organization. */
  const found = async ({ visitor, by, id }: PageCall) => {
    for (const organization of await organizationsOf(visitor)) {
      const { templates } = store.forOrganization(organization.id, by)
      const template = await templates.findOffered(id)
      if (template) return { template, templates, organization }
    }
    throw new Refusal('notFound', `There is no template ${id} for you, or it is retired.`)
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
    const { organizationId, ...rest } = parse(TemplateBody, body)
    if (!(await organizationsOf(visitor)).some(({ id }) => id === organizationId))
      throw new Refusal('forbidden', 'organizationId: not an organization that you make templates for')
    const template = { ...rulesOf(rest), pdfRequired: true, isCustomTemplate: true }
    return { templateId: await store.forOrganization(organizationId, by).templates.create(template, timeOf(clock)) }
  })

  serve('get', '/templates/:id', async (call): Promise<TemplateFile> => {
    const { template, organization } = await found(call)
    return { ...listed(template, organization.id, organization.name), fields: template.fields }
  })

  serve('post', '/templates/:id', async (call) => {
    const { template, templates } = await found(call)
    const change = rulesOf(parse(TemplateChangeBody, call.body))
    await templates.update(call.id, { ...template, ...change }, timeOf(clock))
  })

  serve('post', '/templates/:id/retire', async (call) => {
    const { templates } = await found(call)
    await templates.retire(call.id, timeOf(clock))
  })
}

const rulesOf = ({
  diagnosisCode,
  fields,
  daysBefore,
  daysAfter,
  ...rest
}: z.output<typeof TemplateChangeBody>): Omit<StoredTemplate, 'templateId' | 'pdfRequired' | 'isCustomTemplate'> => ({
  ...rest,
  diagnosisCodeAllowed: diagnosisCode !== 'none',
  diagnosisCodeRequired: diagnosisCode === 'required',
  daysBefore: daysBefore ?? null,
  daysAfter: daysAfter ?? null,
  fields: fields.map((field) => ({ ...field, value: prefilled(field.type, field.value) })),
})

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
