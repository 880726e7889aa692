/** Providers, who sign. Only an operator sees and changes them, because they concern every sender. */
import * as z from 'zod'
import { ErrorBody } from '../../../lib/contract/error.ts'
import { Npi } from '../../../lib/contract/primitives.ts'
import { Refusal } from '../../domain/refusal.ts'
import { ProviderBody, ProviderChangeBody, StoredProvider } from './messages/providers.ts'
import { OPERATOR_ALONE, type OperatorContext, operatorRow } from './operator-context.ts'
import { requireChange } from './require-change.ts'
import { requireStampable } from './require-stampable.ts'

const group = 'Providers'

export const listProviders = operatorRow({
  method: 'get',
  path: '/admin/v1/providers',
  group,
  summary: 'List the providers, with where they sign',
  who: OPERATOR_ALONE,
  responses: { 200: z.array(StoredProvider) },
  run: ({ store }) => store.providers.list(),
})

export const createProvider = operatorRow({
  method: 'post',
  path: '/admin/v1/providers',
  group,
  summary: 'Add an active signer',
  who: OPERATOR_ALONE,
  body: ProviderBody,
  responses: { 201: StoredProvider, 409: ErrorBody },
  async run(context, { body: provider }) {
    const { store, at, by } = context
    requireStampable('signingName', provider.signingName)
    if (await store.providers.find(provider.npi)) throw new Refusal('conflict', 'npi: a provider has this NPI already')
    await mustExist(context, provider.organizationIds)
    await store.providers.create({ ...provider, isActive: true, script: null }, at, by)
    return found(context, provider.npi)
  },
})

export const updateProvider = operatorRow({
  method: 'patch',
  path: '/admin/v1/providers/:npi',
  group,
  summary: 'Change whether and where a provider signs; an inactive provider counts as unknown',
  who: OPERATOR_ALONE,
  params: z.object({ npi: Npi }),
  body: ProviderChangeBody,
  responses: { 204: null, 404: ErrorBody },
  async run(context, { params: { npi }, body }) {
    const { store, at, by } = context
    await found(context, npi)
    requireChange(body, ProviderChangeBody)
    const { isActive, organizationIds } = body
    if (organizationIds) {
      await mustExist(context, organizationIds)
      await store.providers.setOrganizations(npi, organizationIds, at, by)
    }
    if (isActive !== undefined) await store.providers.setActive(npi, isActive, at, by)
  },
})

async function found({ store }: OperatorContext, npi: string) {
  const provider = await store.providers.find(npi)
  if (!provider) throw new Refusal('notFound', 'npi: no provider of this service')
  return provider
}

async function mustExist({ store }: OperatorContext, organizationIds: readonly number[]): Promise<void> {
  const known = new Set((await store.organizations.list()).map(({ id }) => id))
  const unknown = organizationIds.findIndex((id) => !known.has(id))
  if (unknown >= 0) throw new Refusal('invalid', `organizationIds[${unknown}]: no organization of this service`)
}
