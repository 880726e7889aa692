/** Templates: made from the fields that somebody placed on a sample, edited and retired. The sample never comes here. */
import * as z from 'zod'
import { ErrorBody } from '../../../lib/contract/error.ts'
import { prefilled } from '../../../lib/contract/task/field-kinds.ts'
import { Refusal } from '../../domain/refusal.ts'
import type { StoredTemplate } from '../../store/directory/templates.ts'
import { ListedTemplate, TemplateBody, TemplateChangeBody, TemplateFile } from './messages/templates.ts'
import { type OperatorContext, operatorRow, STAFF } from './operator-context.ts'
import { pathOf } from './path.ts'

const group = 'Templates'
const params = pathOf('the template')

export const listSenders = operatorRow({
  method: 'get',
  path: '/admin/v1/senders',
  group,
  summary: 'List the organizations that templates are made for',
  who: STAFF,
  responses: { 200: z.array(z.object({ id: z.int(), name: z.string() })) },
  run: async (context) =>
    (await organizationsOf(context)).filter(({ ingestionEnabled }) => context.scope !== null || ingestionEnabled),
})

export const listTemplates = operatorRow({
  method: 'get',
  path: '/admin/v1/templates',
  group,
  summary: 'List the templates that are offered',
  who: STAFF,
  responses: { 200: z.array(ListedTemplate) },
  async run(context) {
    const lists = (await organizationsOf(context)).map(async (organization) =>
      (await templatesOf(context, organization.id).list()).map((template) => ({
        ...shown(template, organization),
        fields: template.fields.length,
      })),
    )
    return (await Promise.all(lists)).flat()
  },
})

export const createTemplate = operatorRow({
  method: 'post',
  path: '/admin/v1/templates',
  group,
  summary: 'Make a template',
  who: STAFF,
  body: TemplateBody,
  responses: { 201: z.object({ templateId: z.int() }), 403: ErrorBody },
  async run(context, { body: { organizationId, ...rest } }) {
    if (!(await organizationsOf(context)).some(({ id }) => id === organizationId))
      throw new Refusal('forbidden', 'organizationId: not an organization that you make templates for')
    const template = { ...NEW, ...changeOf(rest) }
    return { templateId: await templatesOf(context, organizationId).create(template, context.at) }
  },
})

export const readTemplate = operatorRow({
  method: 'get',
  path: '/admin/v1/templates/:id',
  group,
  summary: 'Read a template with its fields',
  who: STAFF,
  params,
  responses: { 200: TemplateFile, 404: ErrorBody },
  async run(context, { params: { id } }) {
    const { template, organization } = await found(context, id)
    return { ...shown(template, organization), fields: template.fields }
  },
})

export const updateTemplate = operatorRow({
  method: 'patch',
  path: '/admin/v1/templates/:id',
  group,
  summary: 'Change a template, for the documents that are received from now on',
  who: STAFF,
  params,
  body: TemplateChangeBody,
  responses: { 204: null, 404: ErrorBody },
  async run(context, { params: { id }, body }) {
    const { template, templates } = await found(context, id)
    if (Object.keys(body).length === 0)
      throw new Refusal('invalid', `nothing to change: give ${Object.keys(TemplateChangeBody.shape).join(', ')}`)
    await templates.update(id, { ...template, ...changeOf(body) }, context.at)
  },
})

export const retireTemplate = operatorRow({
  method: 'post',
  path: '/admin/v1/templates/:id/retire',
  group,
  summary: 'Offer a template no more; documents that were sent with it go on',
  who: STAFF,
  params,
  responses: { 204: null, 404: ErrorBody },
  async run(context, { params: { id } }) {
    const { templates } = await found(context, id)
    await templates.retire(id, context.at)
  },
})

async function organizationsOf({ store, scope }: OperatorContext) {
  const all = await store.organizations.list()
  return scope === null ? all : all.filter(({ id }) => id === scope)
}

const templatesOf = ({ store, by }: OperatorContext, organizationId: number) =>
  store.forOrganization(organizationId, by).templates

/** A template, and the templates of its organization. */
async function found(context: OperatorContext, id: number) {
  for (const organization of await organizationsOf(context)) {
    const templates = templatesOf(context, organization.id)
    const template = await templates.findOffered(id)
    if (template) return { template, templates, organization }
  }
  throw new Refusal('notFound', `There is no template ${id}, or it is retired.`)
}

type Rules = Omit<StoredTemplate, 'templateId'>

const NEW: Rules = {
  summary: '',
  clinicalDateLabel: '',
  diagnosisCodeAllowed: false,
  diagnosisCodeRequired: false,
  daysBefore: null,
  daysAfter: null,
  pdfRequired: true,
  isCustomTemplate: true,
  fields: [],
}

/** What is given, and nothing of what is left out. */
function changeOf({ diagnosisCode, fields, ...rest }: z.output<typeof TemplateChangeBody>): Partial<Rules> {
  const given = Object.entries(rest).filter(([, value]) => value !== undefined)
  return {
    ...Object.fromEntries(given),
    ...(diagnosisCode && {
      diagnosisCodeAllowed: diagnosisCode !== 'none',
      diagnosisCodeRequired: diagnosisCode === 'required',
    }),
    ...(fields && {
      fields: fields.map((field) => ({ ...field, value: prefilled(field.type, field.value) })),
    }),
  }
}

const shown = (
  { diagnosisCodeAllowed, diagnosisCodeRequired, ...template }: StoredTemplate,
  { id, name }: { id: number; name: string },
) => ({
  ...template,
  organizationId: id,
  organization: name,
  diagnosisCode: diagnosisCodeRequired
    ? ('required' as const)
    : diagnosisCodeAllowed
      ? ('allowed' as const)
      : ('none' as const),
})
