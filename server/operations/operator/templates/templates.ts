/** Templates: made from the fields that someone placed on a sample, edited and retired. */
import * as z from 'zod'
import { ErrorBody } from '../../../../lib/contract/error.ts'
import { Refusal } from '../../../domain/refusal.ts'
import { idParams } from '../id-params.ts'
import { ListedTemplate, TemplateBody, TemplateChangeBody, TemplateFile } from '../messages/templates.ts'
import { type OperatorContext, operatorRow, STAFF } from '../operator-context.ts'
import { organizationsOf } from '../organizations.ts'
import { requireChange } from '../require-change.ts'
import {
  changeOf,
  NEW_TEMPLATE,
  requireOperatorFor,
  requireSignature,
  requireStampableValues,
  shown,
} from './template-rules.ts'

const group = 'Templates'
const params = idParams('the template')

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
    requireSignature(rest)
    requireOperatorFor(rest, context)
    requireStampableValues(rest)
    const template = { ...NEW_TEMPLATE, ...changeOf(rest) }
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
    const { template, templates, organization } = await foundTemplate(context, id)
    return { ...shown(template, organization), hasSample: await templates.hasSample(id) }
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
  responses: { 204: null, 403: ErrorBody, 404: ErrorBody },
  async run(context, { params: { id }, body }) {
    const { template, templates } = await foundTemplate(context, id)
    const { withoutSignature: _, ...change } = body
    requireChange(change, TemplateChangeBody.omit({ withoutSignature: true }))
    requireSignature(body)
    // Who saves it as it was decides nothing.
    if (body.signatureRule !== template.signatureRule) requireOperatorFor(body, context)
    requireStampableValues(body)
    await templates.update(id, { ...template, ...changeOf(body) }, context.at)
  },
})

export const retireTemplate = operatorRow({
  method: 'post',
  path: '/admin/v1/templates/:id/retire',
  group,
  summary: 'Stop offering a template; documents that were sent with it go on',
  who: STAFF,
  params,
  responses: { 204: null, 404: ErrorBody },
  async run(context, { params: { id } }) {
    const { templates } = await foundTemplate(context, id)
    await templates.retire(id, context.at)
  },
})

const templatesOf = ({ store, by }: OperatorContext, organizationId: number) =>
  store.forOrganization(organizationId, by).templates

/** Finds a template that is offered, with its organization and that organization's templates. Refuses with `notFound`. */
export async function foundTemplate(context: OperatorContext, id: number) {
  for (const organization of await organizationsOf(context)) {
    const templates = templatesOf(context, organization.id)
    const template = await templates.findOffered(id)
    if (template) return { template, templates, organization }
  }
  throw new Refusal('notFound', `There is no template ${id}, or it is retired.`)
}
