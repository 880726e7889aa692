/** The keys with which organizations send. A key is shown once, when it is made. */
import * as z from 'zod'
import { docs } from '../../../../lib/contract/docs.ts'
import { ErrorBody } from '../../../../lib/contract/error.ts'
import { text } from '../../../../lib/contract/primitives.ts'
import { Refusal } from '../../../domain/refusal.ts'
import { idParams } from '../id-params.ts'
import { EXPIRY, KeyBody, ListedKey, MadeKey } from '../messages/keys.ts'
import { operatorRow, reaches, STAFF } from '../operator-context.ts'
import { foundOrganization, keysOf } from '../organizations.ts'

const group = 'Keys'
const organization = idParams('the organization')
const keyId = text(40).register(docs, {
  title: 'Key id',
  description: 'The id of the key, which is not the key itself.',
  examples: ['1a2B3c4D5e6'],
})

export const listKeys = operatorRow({
  method: 'get',
  path: '/admin/v1/keys',
  group,
  summary: 'List the keys, without the keys themselves',
  who: STAFF,
  responses: { 200: z.array(ListedKey) },
  run: async (context) =>
    (await context.store.keys.list()).filter(({ organizationId }) => reaches(context, organizationId)),
})

export const issueKey = operatorRow({
  method: 'post',
  path: '/admin/v1/organizations/:id/keys',
  group,
  summary: 'Make a key, and show it this one time',
  who: STAFF,
  scope: 'keys',
  params: organization,
  body: KeyBody,
  responses: { 201: MadeKey, 404: ErrorBody },
  async run(context, { params: { id }, body: { personName, description, expiresAt: given } }) {
    const { keyring, at, by } = context
    await foundOrganization(context, id)
    const expiresAt = expiryOf(given, at)
    const { key, keyId, mode } = await keyring.issue(id, description ?? '', at, { personName, expiresAt, by })
    return { key, keyId, mode, expiresAt }
  },
})

export const revokeKey = operatorRow({
  method: 'delete',
  path: '/admin/v1/organizations/:id/keys/:keyId',
  group,
  summary: 'End a key at once',
  who: STAFF,
  params: organization.extend({ keyId }),
  responses: { 204: null, 404: ErrorBody },
  async run(context, { params: { id, keyId } }) {
    await foundOrganization(context, id)
    const isTheirs = (await keysOf(context, id)).some((key) => key.keyId === keyId)
    if (!isTheirs || !(await context.store.keys.revoke(keyId, context.at, context.by)))
      throw new Refusal('notFound', 'keyId: no key of this organization, or revoked already')
  },
})

/** Returns the time in ISO 8601, or null for a key that never expires. Refuses what is not a time to come. */
export function expiryOf(given: string | null | undefined, at: Date): string | null {
  if (given === undefined || given === null) return null
  const time = new Date(given)
  if (Number.isNaN(time.getTime()) || time <= at) throw new Refusal('invalid', `expiresAt: ${EXPIRY}`)
  return time.toISOString()
}
