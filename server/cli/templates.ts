/** `countersign templates`: the fields and rules that an organization made for a kind of document. */
import type { OperatorContext } from '../operations/operator/operator-context.ts'
import {
  createTemplate,
  listTemplates,
  readTemplate,
  retireTemplate,
  updateTemplate,
} from '../operations/operator/templates/templates.ts'
import { perform } from '../operations/perform.ts'
import { organizationOf } from './command/organization-of.ts'
import { type Call, onStore, storeCommand } from './command/store-command.ts'
import { annotationsOf } from './command/template-fields.ts'
import { changeOf, FIELDS, type GivenRules, LABEL, SUMMARY, withRules } from './command/template-options.ts'
import { inBrief, inFlags } from './command/template-shown.ts'
import type { Opening } from './command/with-store.ts'

export const command = storeCommand('templates', 'fields and rules of an organization for a kind of document')

const WHOSE = ['--organization <NAME|ID>', 'whose templates'] as const

interface Whose {
  organization: string
}

/** Every verb is about the templates of one organization alone. */
const onTemplates = <Given extends object>(
  run: (call: Call<Given>) => Promise<unknown>,
  options?: Pick<Opening, 'mayMake'>,
) =>
  onStore<Given & Whose>(async (call) => {
    const { id: scope } = await organizationOf(call.context, call.given.organization)
    return run({ ...call, context: { ...call.context, scope } })
  }, options)

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
      const body = { organizationId: context.scope, diagnosisCode: 'none', ...changeOf(given) }
      const { templateId } = await perform(createTemplate, context, { body })
      return inBrief(await read(context, String(templateId)))
    },
    { mayMake: true },
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
  onTemplates<GivenRules>(async ({ context, given, operands: [id = ''] }) => {
    await perform(updateTemplate, context, { params: { id }, body: changeOf(given) })
    return inBrief(await read(context, id))
  }),
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

const read = (context: OperatorContext, id: string) => perform(readTemplate, context, { params: { id } })
