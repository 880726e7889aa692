/** `countersign templates`: the fields and rules that an organization made for a kind of document. */
import type { TemplateFile } from '../operations/operator/messages/templates.ts'
import type { OperatorContext } from '../operations/operator/operator-context.ts'
import {
  createTemplate,
  listTemplates,
  readTemplate,
  retireTemplate,
  updateTemplate,
} from '../operations/operator/templates.ts'
import { perform } from '../operations/perform.ts'
import { administer, type Given } from './command/administer.ts'
import { CommandError } from './command/command.ts'
import { organizationOf } from './command/organization-of.ts'
import { annotationsOf, fieldsOf } from './command/template-fields.ts'

const HELP = `Usage: countersign templates <create|list|show ID|update ID|retire ID> [options]

  --organization NAME|ID    whose templates; required

  create
    --summary TEXT        what it is for; required
    --clinical-date-label TEXT   what effectiveDate means on it; required
    --fields FILE         JSON array of annotations, as document.annotations.data of a
                          task with type Json: [{"type":"VisibleSignature","required":true,
                          "pageNumber":1,"left":72,"top":690,"right":272,"bottom":726}]; required
    --diagnosis-code none|allowed|required                          (none)
    --days-before NUMBER|open --days-after NUMBER|open              (open)
                          the certification window around today
  list
  show ID                 one template; with --json its fields are as --fields takes them
  update ID               changes what is given, with the options of create, for the
                          documents that are received from now on
  retire ID               offers it no more; documents that were sent with it go on
`

const text = { type: 'string' } as const
const whose = { organization: text }
const content = {
  summary: text,
  'clinical-date-label': text,
  fields: text,
  'diagnosis-code': text,
  'days-before': text,
  'days-after': text,
}

export const run = administer('templates', HELP, {
  create: {
    options: { ...whose, ...content },
    async run({ context, given }) {
      for (const name of ['summary', 'clinical-date-label', 'fields']) given.needed(name)
      const { id: organizationId, ...bound } = await boundTo(context, given)
      const body = { organizationId, diagnosisCode: 'none', ...changeOf(given) }
      const { templateId } = await perform(createTemplate, bound.context, { body })
      return shown(await read(bound.context, String(templateId)))
    },
  },
  list: {
    options: whose,
    async run({ context, given }) {
      const bound = await boundTo(context, given)
      return (await perform(listTemplates, bound.context)).map(({ organization, ...template }) => inFlags(template))
    },
  },
  show: {
    options: whose,
    takes: ['ID'],
    async run({ context, given, operands: [id = ''] }) {
      const bound = await boundTo(context, given)
      const template = await read(bound.context, id)
      return { ...inFlags(template), fields: annotationsOf(template.fields) }
    },
  },
  update: {
    options: { ...whose, ...content },
    takes: ['ID'],
    async run({ context, given, operands: [id = ''] }) {
      const bound = await boundTo(context, given)
      await perform(updateTemplate, bound.context, { params: { id }, body: changeOf(given) })
      return shown(await read(bound.context, id))
    },
  },
  retire: {
    options: whose,
    takes: ['ID'],
    async run({ context, given, operands: [id = ''] }) {
      const bound = await boundTo(context, given)
      const template = await read(bound.context, id)
      await perform(retireTemplate, bound.context, { params: { id } })
      return { ...shown(template), retired: true }
    },
  },
})

/** A command is about the templates of one organization alone. */
async function boundTo(context: OperatorContext, given: Given) {
  const { id } = await organizationOf(context, given.needed('organization'))
  return { id, context: { ...context, scope: id } }
}

const read = (context: OperatorContext, id: string) => perform(readTemplate, context, { params: { id } })

/** What the options say, and nothing of what they leave out. */
function changeOf(given: Given): object {
  const file = given.text('fields')
  const change = {
    summary: given.text('summary'),
    clinicalDateLabel: given.text('clinical-date-label'),
    diagnosisCode: given.text('diagnosis-code'),
    daysBefore: days(given, 'days-before'),
    daysAfter: days(given, 'days-after'),
    fields: file === undefined ? undefined : fieldsOf(file),
  }
  return Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
}

function days(given: Given, name: string): number | null | undefined {
  const sent = given.text(name)
  if (sent === undefined) return undefined
  if (sent === 'open') return null
  if (!/^\d{1,5}$/.test(sent)) throw new CommandError(`--${name}: a whole number of days, or open`)
  return Number(sent)
}

/** As partners read it: one flag for allowed, and one for required. */
const inFlags = <T extends Pick<TemplateFile, 'diagnosisCode' | 'organizationId'>>({
  diagnosisCode,
  organizationId,
  ...template
}: T) => ({
  ...template,
  diagnosisCodeAllowed: diagnosisCode !== 'none',
  diagnosisCodeRequired: diagnosisCode === 'required',
})

const shown = (template: TemplateFile) => ({ ...inFlags(template), fields: template.fields.length })
