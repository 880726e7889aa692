/** `countersign providers`: who signs, and for which organizations. */
import type { StoredProvider } from '../operations/operator/messages/providers.ts'
import type { OperatorContext } from '../operations/operator/operator-context.ts'
import { createProvider, listProviders, updateProvider } from '../operations/operator/providers.ts'
import { perform } from '../operations/perform.ts'
import { administer, type Given, type Verb } from './command/administer.ts'
import { CommandError } from './command/command.ts'
import { organizationOf } from './command/organization-of.ts'

const HELP = `Usage: countersign providers <create|list|set-organizations|activate|deactivate> [options]

  create                  adds an active signer
    --npi NUMBER          exactly 10 digits; required
    --first-name TEXT --last-name TEXT   required
    --signing-name TEXT   what is stamped when the provider signs   (first and last name)
    --organization NAME|ID   where the provider signs; at least one, may be given several
                          times, the primary one first
  list                    all of them, with their organizations
  set-organizations NPI   where the provider signs from now on
    --organization NAME|ID   as for create
  activate NPI
  deactivate NPI          from then on the NPI is as an unknown one
`

const text = { type: 'string' } as const

const setActive = (isActive: boolean): Verb => ({
  takes: ['NPI'],
  async run({ context, operands: [npi = ''] }) {
    await perform(updateProvider, context, { params: { npi }, body: { isActive } })
    return { npi, isActive }
  },
})

/** By name or id, each once, in the order given. */
async function organizationIdsOf(context: OperatorContext, given: Given): Promise<number[]> {
  if (given.all('organization').length === 0)
    throw new CommandError('--organization is required: where does the provider sign?')
  const ids = new Set<number>()
  for (const nameOrId of given.all('organization')) ids.add((await organizationOf(context, nameOrId)).id)
  return [...ids]
}

const organization = { type: 'string', multiple: true } as const

export const run = administer('providers', HELP, {
  create: {
    options: { npi: text, 'first-name': text, 'last-name': text, 'signing-name': text, organization },
    async run({ context, given }) {
      const npi = given.needed('npi')
      const [firstName, lastName] = [given.needed('first-name'), given.needed('last-name')]
      const signingName = given.text('signing-name')?.trim() || `${firstName} ${lastName}`
      const organizationIds = await organizationIdsOf(context, given)
      const body = { npi, firstName, lastName, signingName, organizationIds }
      return row(await perform(createProvider, context, { body }))
    },
  },
  list: { run: async ({ context }) => (await perform(listProviders, context)).map(row) },
  'set-organizations': {
    takes: ['NPI'],
    options: { organization },
    async run({ context, given, operands: [npi = ''] }) {
      const body = { organizationIds: await organizationIdsOf(context, given) }
      await perform(updateProvider, context, { params: { npi }, body })
      return row((await perform(listProviders, context)).find((provider) => provider.npi === npi)!)
    },
  },
  activate: setActive(true),
  deactivate: setActive(false),
})

const row = ({ npi, signingName, isActive, organizations }: StoredProvider) => ({
  npi,
  signingName,
  isActive,
  organizations: organizations.map(({ name }) => name),
})
