/** `countersign providers`: who signs, and for which organizations. */
import { Npi } from '../../lib/contract/primitives.ts'
import type { StoredProvider } from '../store/providers.ts'
import { administer, organizationOf, type Verb } from './administer.ts'
import { CommandError } from './command.ts'

const HELP = `Usage: countersign providers <create|list|activate|deactivate> [options]

  create                  adds an active signer
    --npi NUMBER          exactly 10 digits; required
    --first-name TEXT --last-name TEXT   required
    --signing-name TEXT   what is stamped when the provider signs   (first and last name)
    --organization NAME|ID   where the provider signs; at least one, may be given several
                          times, the primary one first
  list                    all of them, with their organizations
  activate NPI
  deactivate NPI          from then on the NPI is as an unknown one
`

const text = { type: 'string' } as const

const setActive = (isActive: boolean): Verb => ({
  takes: ['NPI'],
  async run({ store, operands: [npi = ''] }) {
    if (!(await store.providers.setActive(npi, isActive)))
      throw new Error(`There is no provider ${npi}. countersign providers list shows them.`)
    return { npi, isActive }
  },
})

export const run = administer('providers', HELP, {
  create: {
    options: {
      ...{ npi: text, 'first-name': text, 'last-name': text, 'signing-name': text },
      organization: { type: 'string', multiple: true },
    },
    async run({ store, given }) {
      const npi = given.needed('npi')
      if (!Npi.safeParse(npi).success) throw new CommandError('--npi: exactly 10 digits')
      const [firstName, lastName] = [given.needed('first-name'), given.needed('last-name')]
      if (given.all('organization').length === 0)
        throw new CommandError('--organization is required: where does the provider sign?')
      const organizations = []
      for (const nameOrId of given.all('organization')) organizations.push(await organizationOf(store, nameOrId))
      if (await store.providers.find(npi)) throw new Error(`There is a provider ${npi} already.`)
      const signingName = given.text('signing-name')?.trim() || `${firstName} ${lastName}`
      const organizationIds = [...new Set(organizations.map(({ id }) => id))]
      await store.providers.create({
        npi,
        firstName,
        lastName,
        signingName,
        isActive: true,
        script: null,
        organizationIds,
      })
      return row((await store.providers.find(npi))!)
    },
  },
  list: { run: async ({ store }) => (await store.providers.list()).map(row) },
  activate: setActive(true),
  deactivate: setActive(false),
})

const row = ({ npi, signingName, isActive, organizations }: StoredProvider) => ({
  npi,
  signingName,
  isActive,
  organizations: organizations.map(({ name }) => name),
})
