/** The console's providers, accounts and document types: the operator's alone, because they concern every sender. */
import { type Clock, timeOf } from '../../lib/clock.ts'
import { Refusal } from '../domain/refusal.ts'
import type { PageApi } from '../http/page-api.ts'
import { parse } from '../http/parse.ts'
import { addPerson } from '../people/add-person.ts'
import type { Store } from '../store/store.ts'
import { AccountBody, DocumentTypeBody, ProviderBody, ProviderChangeBody } from './admin-messages.ts'

const OPERATOR_ONLY = { roles: ['operator'] } as const

export type PeopleStore = Pick<Store, 'organizations' | 'people' | 'providers' | 'documentTypes'>

export function peopleRoutes({ serve }: PageApi, store: PeopleStore, clock: Clock): void {
  serve('get', '/providers', () => store.providers.list(), OPERATOR_ONLY)
  serve(
    'post',
    '/providers',
    async ({ body }) => {
      const provider = parse(ProviderBody, body)
      if (await store.providers.find(provider.npi))
        throw new Refusal('conflict', 'npi: a provider has this NPI already')
      const known = new Set((await store.organizations.list()).map(({ id }) => id))
      const strange = provider.organizationIds.findIndex((id) => !known.has(id))
      if (strange >= 0) throw new Refusal('invalid', `organizationIds[${strange}]: no organization of this service`)
      await store.providers.create({ ...provider, isActive: true, script: null })
    },
    OPERATOR_ONLY,
  )
  serve(
    'post',
    '/providers/active',
    async ({ body }) => {
      const { npi, isActive } = parse(ProviderChangeBody, body)
      if (!(await store.providers.setActive(npi, isActive)))
        throw new Refusal('notFound', 'npi: no provider of this service')
    },
    OPERATOR_ONLY,
  )

  serve('get', '/accounts', () => store.people.list(), OPERATOR_ONLY)
  serve(
    'post',
    '/accounts',
    async ({ body }) => {
      const { npi, organizationId, ...wish } = parse(AccountBody, body)
      const belonging = { npi: npi ?? undefined, organizationId: organizationId ?? undefined }
      return addPerson(store, { ...wish, ...belonging }, timeOf(clock))
    },
    OPERATOR_ONLY,
  )

  serve('get', '/document-types', () => store.documentTypes.list(), OPERATOR_ONLY)
  serve(
    'post',
    '/document-types',
    async ({ body }) => ({ id: await store.documentTypes.create(parse(DocumentTypeBody, body)) }),
    OPERATOR_ONLY,
  )
}
