/** `countersign templates`: the fields and rules that an organization made for a kind of document. */
import type { OperatorContext } from '../operations/operator/operator-context.ts'
import {
  createTemplate,
  listTemplates,
  readTemplate,
  retireTemplate,
  updateTemplate,
} from '../operations/operator/templates/templates.ts'
import { check, perform } from '../operations/perform.ts'
import { organizationOf } from './command/organization-of.ts'
import { type Call, onStore, storeCommand, type Terms } from './command/store-command.ts'
import { annotationsOf } from './command/template-fields.ts'
import { changeOf, FIELDS, type GivenRules, LABEL, SUMMARY, withRules } from './command/template-options.ts'
import { inBrief, inFlags } from './command/template-shown.ts'

export const command = storeCommand('templates')

const WHOSE = ['--organization <NAME|ID>', 'whose templates'] as const

interface Whose {
  organization: string
}

/** Every verb is about the templates of one organization alone. */
const onTemplates = <Given extends object>(
  run: (call: Call<Given>) => Promise<unknown>,
  terms?: Terms<Given & Whose>,
) =>
  onStore<Given & Whose>(async (call) => {
    const { id: scope } = await organizationOf(call.context, call.given.organization)
    return run({ ...call, context: { ...call.context, scope } })
  }, terms)

const create = command
  .command('create')
  .description('make one')
  .needs(...SUMMARY)
  .needs(...LABEL)
  .needs(...FIELDS)
  .needs(...WHOSE)
withRules(create).action(
  onTemplates<GivenRules>(
    async ({ context, given }) => {
      const body = newTemplate(context.scope, given)
      const { templateId } = await perform(createTemplate, asOperator(context), { body })
      return inBrief(await read(context, String(templateId)))
    },
    { check: ({ given }) => check(createTemplate, { body: newTemplate(1, given) }) },
  ),
)

command
  .command('list')
  .description('list those of an organization')
  .needs(...WHOSE)
  .action(
    onTemplates(async ({ context }) =>
      (await perform(listTemplates, context)).map(({ organization, ...template }) => inFlags(template)),
    ),
  )

command
  .command('show')
  .description('show one template; with --json its fields are as --fields takes them')
  .argument('<ID>')
  .needs(...WHOSE)
  .action(
    onTemplates(async ({ context, operands: [id = ''] }) => {
      const template = await read(context, id)
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
  onTemplates<GivenRules>(
    async ({ context, given, operands: [id = ''] }) => {
      await read(context, id)
      await perform(updateTemplate, asOperator(context), { params: { id }, body: changeOf(given) })
      return inBrief(await read(context, id))
    },
    {
      check: ({ given, operands: [id = ''] }) => check(updateTemplate, { params: { id }, body: changeOf(given) }),
    },
  ),
)

command
  .command('retire')
  .description('stop offering it; documents that were sent with it go on')
  .argument('<ID>')
  .needs(...WHOSE)
  .action(
    onTemplates(async ({ context, operands: [id = ''] }) => {
      const template = await read(context, id)
      await perform(retireTemplate, context, { params: { id } })
      return { ...inBrief(template), retired: true }
    }),
  )

const newTemplate = (organizationId: number | null, given: GivenRules) => ({
  organizationId,
  diagnosisCode: 'none',
  ...changeOf(given),
})

/** Who may decide what no administrator of an organization may. Whose template it is was found out before. */
const asOperator = (context: OperatorContext): OperatorContext => ({ ...context, scope: null })

const read = (context: OperatorContext, id: string) => perform(readTemplate, context, { params: { id } })
