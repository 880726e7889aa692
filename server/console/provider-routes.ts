/** The console's providers and document types: the operator's alone, because they concern every sender. */
import { type Clock, timeOf } from '../../lib/clock.ts'
import { Refusal } from '../domain/refusal.ts'
import type { PageApi } from '../http/page-api.ts'
import { parse } from '../http/parse.ts'
import type { Store } from '../store/store.ts'
import { DocumentTypeBody, MembershipBody, ProviderBody, ProviderChangeBody } from './admin-messages.ts'

const OPERATOR_ONLY = { roles: ['operator'] } as const

export type ProviderStore = Pick<Store, 'organizations' | 'providers' | 'documentTypes'>

export function providerRoutes({ serve }: PageApi, store: ProviderStore, clock: Clock): void {
  async function mustExist(organizationIds: readonly number[]): Promise<void> {
    const known = new Set((await store.organizations.list()).map(({ id }) => id))
    const strange = organizationIds.findIndex((id) => !known.has(id))
    if (strange >= 0) throw new Refusal('invalid', `organizationIds[${strange}]: no organization of this service`)
  }

  serve('get', '/providers', () => store.providers.list(), OPERATOR_ONLY)
  serve(
    'post',
    '/providers',
    async ({ by, body }) => {
      const provider = parse(ProviderBody, body)
      if (await store.providers.find(provider.npi))
        throw new Refusal('conflict', 'npi: a provider has this NPI already')
      await mustExist(provider.organizationIds)
      await store.providers.create({ ...provider, isActive: true, script: null }, timeOf(clock), by)
    },
    OPERATOR_ONLY,
  )
  serve(
    'post',
    '/providers/active',
    async ({ by, body }) => {
      const { npi, isActive } = parse(ProviderChangeBody, body)
      if (!(await store.providers.setActive(npi, isActive, timeOf(clock), by)))
        throw new Refusal('notFound', 'npi: no provider of this service')
    },
    OPERATOR_ONLY,
  )
  serve(
    'post',
    '/providers/organizations',
    async ({ by, body }) => {
      const { npi, organizationIds } = parse(MembershipBody, body)
      if (!(await store.providers.find(npi))) throw new Refusal('notFound', 'npi: no provider of this service')
      await mustExist(organizationIds)
      await store.providers.setOrganizations(npi, organizationIds, timeOf(clock), by)
    },
    OPERATOR_ONLY,
  )

  serve('get', '/document-types', () => store.documentTypes.list(), OPERATOR_ONLY)
  serve(
    'post',
    '/document-types',
    async ({ by, body }) => ({
      id: await store.documentTypes.create(parse(DocumentTypeBody, body), timeOf(clock), by),
    }),
    OPERATOR_ONLY,
  )
}
