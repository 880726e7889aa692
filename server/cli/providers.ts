/** `countersign providers`: who signs, and for which organizations. */
import type { StoredProvider } from '../operations/operator/messages/providers.ts'
import type { OperatorContext } from '../operations/operator/operator-context.ts'
import { createProvider, listProviders, updateProvider } from '../operations/operator/providers.ts'
import { check, perform } from '../operations/perform.ts'
import { CommandError } from './command/command-error.ts'
import { organizationOf } from './command/organization-of.ts'
import { onStore, storeCommand } from './command/store-command.ts'

export const command = storeCommand('providers')

interface GivenNames {
  npi: string
  firstName: string
  lastName: string
  signingName?: string
}

interface GivenOrganizations {
  organization?: string[]
}

const ORGANIZATION = [
  '--organization <NAME|ID>',
  'where the provider signs; at least one, may be given several times, the primary one first',
] as const

command
  .command('create')
  .description('add an active signer')
  .needs('--npi <NUMBER>', 'exactly 10 digits')
  .needs('--first-name <TEXT>', 'of the provider')
  .needs('--last-name <TEXT>', 'of the provider')
  .option('--signing-name <TEXT>', 'what is stamped when the provider signs (default: first and last name)')
  .repeatable(...ORGANIZATION)
  .action(
    onStore<GivenNames & GivenOrganizations>(
      async ({ context, given }) => {
        const body = { ...namedBy(given), organizationIds: await organizationIdsOf(context, given) }
        return row(await perform(createProvider, context, { body }))
      },
      {
        check({ given }) {
          mustName(given)
          check(createProvider, { body: { ...namedBy(given), organizationIds: [1] } })
        },
      },
    ),
  )

command
  .command('list')
  .description('list all of them, with their organizations')
  .action(onStore(async ({ context }) => (await perform(listProviders, context)).map(row)))

command
  .command('set-organizations')
  .description('say where the provider signs from now on')
  .argument('<NPI>')
  .repeatable(...ORGANIZATION)
  .action(
    onStore<GivenOrganizations>(
      async ({ context, given, operands: [npi = ''] }) => {
        const body = { organizationIds: await organizationIdsOf(context, given) }
        await perform(updateProvider, context, { params: { npi }, body })
        return row((await perform(listProviders, context)).find((provider) => provider.npi === npi)!)
      },
      { check: ({ given }) => mustName(given) },
    ),
  )

const setActive = (isActive: boolean) =>
  onStore(async ({ context, operands: [npi = ''] }) => {
    await perform(updateProvider, context, { params: { npi }, body: { isActive } })
    return { npi, isActive }
  })

command.command('activate').description('let a provider sign again').argument('<NPI>').action(setActive(true))

command
  .command('deactivate')
  .description('from now on the NPI counts as unknown')
  .argument('<NPI>')
  .action(setActive(false))

function mustName({ organization }: GivenOrganizations): void {
  if (!organization) throw new CommandError('--organization is required: where does the provider sign?')
}

function namedBy({ npi, firstName, lastName, signingName }: GivenNames) {
  return { npi, firstName, lastName, signingName: signingName?.trim() || `${firstName} ${lastName}` }
}

/** Returns the organizations by name or id, each once, in the order given. */
async function organizationIdsOf(context: OperatorContext, { organization }: GivenOrganizations): Promise<number[]> {
  const ids = new Set<number>()
  for (const nameOrId of organization ?? []) ids.add((await organizationOf(context, nameOrId)).id)
  return [...ids]
}

const row = ({ npi, signingName, isActive, organizations }: StoredProvider) => ({
  npi,
  signingName,
  isActive,
  organizations: organizations.map(({ name, isActive: receives }) => (receives ? name : `${name} (inactive)`)),
})
