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
import type { Command } from './command/command.ts'
import { CommandError } from './command/command-error.ts'
import { organizationOf } from './command/organization-of.ts'
import { onStore, storeCommand } from './command/store-command.ts'
import { annotationsOf, fieldsOf } from './command/template-fields.ts'

export const command = storeCommand('templates', 'fields and rules of an organization for a kind of document')

interface Whose {
  organization: string
}

interface Content {
  summary?: string
  clinicalDateLabel?: string
  fields?: string
  diagnosisCode?: string
  daysBefore?: string
  daysAfter?: string
}

const SUMMARY = ['--summary <TEXT>', 'what it is for'] as const
const LABEL = ['--clinical-date-label <TEXT>', 'what effectiveDate means on it'] as const
const FIELDS = ['--fields <FILE>', 'JSON array of annotations'] as const
const WHOSE = ['--organization <NAME|ID>', 'whose templates'] as const

const withRules = (verb: Command): Command =>
  verb
    .option('--diagnosis-code <none|allowed|required>', 'none in a new one')
    .option('--days-before <NUMBER|open>', 'how far the certification window reaches back; open in a new one')
    .option('--days-after <NUMBER|open>', 'how far it reaches ahead; open in a new one')
    .addHelpText(
      'after',
      `
The annotations are written as in document.annotations.data of a task with type Json:
[{"type":"VisibleSignature","required":true,"pageNumber":1,
  "left":72,"top":690,"right":272,"bottom":726}]`,
    )

const create = command
  .command('create')
  .description('make one')
  .needs(...SUMMARY)
  .needs(...LABEL)
  .needs(...FIELDS)
  .needs(...WHOSE)
withRules(create).action(
  onStore<Whose & Content>(
    async ({ context, given }) => {
      const { id: organizationId, ...bound } = await boundTo(context, given)
      const body = { organizationId, diagnosisCode: 'none', ...changeOf(given) }
      const { templateId } = await perform(createTemplate, bound.context, { body })
      return shown(await read(bound.context, String(templateId)))
    },
    { mayMake: true },
  ),
)

command
  .command('list')
  .description('list those of an organization')
  .needs(...WHOSE)
  .action(
    onStore<Whose>(async ({ context, given }) => {
      const bound = await boundTo(context, given)
      return (await perform(listTemplates, bound.context)).map(({ organization, ...template }) => inFlags(template))
    }),
  )

command
  .command('show')
  .description('show one template; with --json its fields are as --fields takes them')
  .argument('<ID>')
  .needs(...WHOSE)
  .action(
    onStore<Whose>(async ({ context, given, operands: [id = ''] }) => {
      const bound = await boundTo(context, given)
      const template = await read(bound.context, id)
      return { ...inFlags(template), fields: annotationsOf(template.fields) }
    }),
  )

const update = command
  .command('update')
  .description('change what is given, for the documents that are received from now on')
  .argument('<ID>')
  .option(...SUMMARY)
  .option(...LABEL)
  .option(...FIELDS)
  .needs(...WHOSE)
withRules(update).action(
  onStore<Whose & Content>(async ({ context, given, operands: [id = ''] }) => {
    const bound = await boundTo(context, given)
    await perform(updateTemplate, bound.context, { params: { id }, body: changeOf(given) })
    return shown(await read(bound.context, id))
  }),
)

command
  .command('retire')
  .description('offer it no more; documents that were sent with it go on')
  .argument('<ID>')
  .needs(...WHOSE)
  .action(
    onStore<Whose>(async ({ context, given, operands: [id = ''] }) => {
      const bound = await boundTo(context, given)
      const template = await read(bound.context, id)
      await perform(retireTemplate, bound.context, { params: { id } })
      return { ...shown(template), retired: true }
    }),
  )

/** A command is about the templates of one organization alone. */
async function boundTo(context: OperatorContext, { organization }: Whose) {
  const { id } = await organizationOf(context, organization)
  return { id, context: { ...context, scope: id } }
}

const read = (context: OperatorContext, id: string) => perform(readTemplate, context, { params: { id } })

/** What the options say, and nothing of what they leave out. */
function changeOf({ fields: file, ...given }: Content): object {
  const change = {
    summary: given.summary,
    clinicalDateLabel: given.clinicalDateLabel,
    diagnosisCode: given.diagnosisCode,
    daysBefore: days('days-before', given.daysBefore),
    daysAfter: days('days-after', given.daysAfter),
    fields: file === undefined ? undefined : fieldsOf(file),
  }
  return Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
}

function days(name: string, given: string | undefined): number | null | undefined {
  if (given === undefined) return undefined
  if (given === 'open') return null
  if (!/^\d{1,5}$/.test(given)) throw new CommandError(`--${name}: a whole number of days, or open`)
  return Number(given)
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
