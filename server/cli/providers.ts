/** `countersign providers`: who signs, and for which organizations. */
import { Npi } from '../../lib/contract/primitives.ts'
import { OPERATOR } from '../domain/audit.ts'
import type { StoredProvider } from '../store/providers.ts'
import type { Store } from '../store/store.ts'
import { administer, type Given, organizationOf, type Verb } from './administer.ts'
import { CommandError } from './command.ts'

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
  async run({ store, at, operands: [npi = ''] }) {
    if (!(await store.providers.setActive(npi, isActive, at))) throw unknown(npi)
    return { npi, isActive }
  },
})

const unknown = (npi: string) => new Error(`There is no provider ${npi}. countersign providers list shows them.`)

/** By name or id, each once, in the order given. */
async function organizationIdsOf(store: Store, given: Given): Promise<number[]> {
  if (given.all('organization').length === 0)
    throw new CommandError('--organization is required: where does the provider sign?')
  const ids = new Set<number>()
  for (const nameOrId of given.all('organization')) ids.add((await organizationOf(store, nameOrId)).id)
  return [...ids]
}

const organization = { type: 'string', multiple: true } as const

export const run = administer('providers', HELP, {
  create: {
    options: {
      ...{ npi: text, 'first-name': text, 'last-name': text, 'signing-name': text },
      organization,
    },
    async run({ store, at, given }) {
      const npi = given.needed('npi')
      if (!Npi.safeParse(npi).success) throw new CommandError('--npi: exactly 10 digits')
      const [firstName, lastName] = [given.needed('first-name'), given.needed('last-name')]
      const organizationIds = await organizationIdsOf(store, given)
      if (await store.providers.find(npi)) throw new Error(`There is a provider ${npi} already.`)
      const signingName = given.text('signing-name')?.trim() || `${firstName} ${lastName}`
      const provider = { npi, firstName, lastName, signingName, organizationIds }
      await store.providers.create({ ...provider, isActive: true, script: null }, at, OPERATOR)
      return row((await store.providers.find(npi))!)
    },
  },
  list: { run: async ({ store }) => (await store.providers.list()).map(row) },
  'set-organizations': {
    takes: ['NPI'],
    options: { organization },
    async run({ store, at, given, operands: [npi = ''] }) {
      const organizationIds = await organizationIdsOf(store, given)
      if (!(await store.providers.find(npi))) throw unknown(npi)
      await store.providers.setOrganizations(npi, organizationIds, at)
      return row((await store.providers.find(npi))!)
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
