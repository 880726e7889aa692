/** The console's organizations and their keys: all of them for an operator, the own one for an administrator. */
import { type Clock, timeOf } from '../../lib/clock.ts'
import { Refusal } from '../domain/refusal.ts'
import type { PageApi, PageCall } from '../http/page-api.ts'
import { parse } from '../http/parse.ts'
import type { Keyring } from '../keys/keyring.ts'
import type { StoredKey } from '../store/keys.ts'
import type { Store } from '../store/store.ts'
import {
  ChangeBody,
  KeyBody,
  type ListedKey,
  OrganizationBody,
  type OrganizationFile,
  RevokeBody,
} from './admin-messages.ts'
import { scopeOf } from './task-routes.ts'

export interface OrganizationRouteParts {
  store: Pick<Store, 'organizations' | 'keys'>
  keyring: Pick<Keyring, 'issue'>
  clock: Clock
}

export function organizationRoutes({ serve }: PageApi, { store, keyring, clock }: OrganizationRouteParts): void {
  const found = async ({ visitor, id }: PageCall) => {
    const scope = scopeOf(visitor)
    const organization = scope === null || scope === id ? await store.organizations.find(id) : null
    if (!organization) throw new Refusal('notFound', `There is no organization ${id} for you.`)
    return organization
  }
  const keysOf = async (organizationId: number) =>
    (await store.keys.list()).filter((key) => key.organizationId === organizationId)

  serve('get', '/organizations', async ({ visitor }) => {
    const scope = scopeOf(visitor)
    return (await store.organizations.list()).filter(({ id }) => scope === null || id === scope)
  })

  serve(
    'post',
    '/organizations',
    async ({ by, body }) => {
      const { npi = null, ...rest } = parse(OrganizationBody, body)
      if (await store.organizations.findByName(rest.name))
        throw new Refusal('conflict', 'name: an organization has this name already')
      return { id: await store.organizations.create({ ...rest, npi }, timeOf(clock), by) }
    },
    { roles: ['operator'] },
  )

  serve(
    'get',
    '/organizations/:id',
    async (call): Promise<OrganizationFile> => ({
      organization: await found(call),
      keys: (await keysOf(call.id)).map(listed),
      mayChange: call.visitor.role === 'operator',
    }),
  )

  serve('post', '/organizations/:id', async (call) => {
    await found(call)
    const change = parse(ChangeBody, call.body)
    if (Object.keys(change).length === 0)
      throw new Refusal('invalid', 'nothing to change: give npi, addresses, ingestionEnabled or activeContent')
    const operatorsOwn = OPERATORS_OWN.find((field) => change[field] !== undefined)
    if (operatorsOwn && call.visitor.role !== 'operator')
      throw new Refusal('forbidden', `${operatorsOwn}: the operator of the service decides it`)
    if (Object.values(change.activeContent ?? {}).includes('allow') && call.visitor.role !== 'operator')
      throw new Refusal('forbidden', 'activeContent: the operator of the service decides what stays in a document')
    await store.organizations.update(call.id, change, timeOf(clock), call.by)
  })

  serve('post', '/organizations/:id/keys', async (call) => {
    await found(call)
    const { description } = parse(KeyBody, call.body)
    // The one time that the key is shown.
    return { key: (await keyring.issue(call.id, description, timeOf(clock), { by: call.by })).key }
  })

  serve('post', '/organizations/:id/keys/revoke', async (call) => {
    await found(call)
    const { keyId } = parse(RevokeBody, call.body)
    const isTheirs = (await keysOf(call.id)).some((key) => key.keyId === keyId)
    if (!isTheirs || !(await store.keys.revoke(keyId, timeOf(clock), call.by)))
      throw new Refusal('notFound', 'keyId: no key of this organization, or revoked already')
  })
}

/** Who may send, and what orders are routed by: with it an administrator could take another organization's orders. */
const OPERATORS_OWN = ['npi', 'addresses', 'ingestionEnabled'] as const

const listed = ({ organizationId, digest, expiresAt, ...shown }: StoredKey): ListedKey => shown
