/** The keys with which organizations send. A key is shown once, when it is made. */
import * as z from 'zod'
import { docs } from '../../../../lib/contract/docs.ts'
import { ErrorBody } from '../../../../lib/contract/error.ts'
import { text } from '../../../../lib/contract/primitives.ts'
import { Refusal } from '../../../domain/refusal.ts'
import { idParams } from '../id-params.ts'
import { EXPIRY, KeyBody, ListedKey, MadeKey, RotateBody } from '../messages/keys.ts'
import { type OperatorContext, operatorRow, STAFF } from '../operator-context.ts'
import { foundOrganization } from '../organizations.ts'
import { listedKeys } from './listed-keys.ts'

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
  summary: 'List the keys, without the keys themselves, and how many requests each made on the last days',
  who: STAFF,
  responses: { 200: z.array(ListedKey) },
  run: listedKeys,
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
    if (!((await isTheirs(context, id, keyId)) && (await context.store.keys.revoke(keyId, context.at, context.by))))
      throw new Refusal('notFound', 'keyId: no key of this organization, or revoked already')
  },
})

export const rotateKey = operatorRow({
  method: 'post',
  path: '/admin/v1/organizations/:id/keys/:keyId/rotate',
  group,
  summary: 'Replace a key by a new one, which is shown this one time; both are valid until a chosen time',
  who: STAFF,
  scope: 'keys',
  params: organization.extend({ keyId }),
  body: RotateBody,
  responses: { 201: MadeKey, 404: ErrorBody },
  async run(context, { params: { id, keyId }, body }) {
    const { keyring, at, by } = context
    const terms = { endsAt: timeToCome('until', body.until, at), expiresAt: expiryOf(body.expiresAt, at), by }
    const made = (await isTheirs(context, id, keyId)) ? await keyring.replace(keyId, at, terms) : null
    if (!made) throw new Refusal('notFound', 'keyId: no key of this organization, or no longer valid')
    return { key: made.key, keyId: made.keyId, mode: made.mode, expiresAt: terms.expiresAt }
  },
})

async function isTheirs(context: OperatorContext, organizationId: number, keyId: string): Promise<boolean> {
  await foundOrganization(context, organizationId)
  return (await context.store.keys.find(keyId))?.organizationId === organizationId
}

/** Returns the time in ISO 8601, or null for a key that never expires. Refuses what is not a time to come. */
export function expiryOf(given: string | null | undefined, at: Date): string | null {
  return given === undefined || given === null ? null : timeToCome('expiresAt', given, at).toISOString()
}

/** Returns the time. Refuses what is not a time to come. */
export function timeToCome(field: string, given: string, at: Date): Date {
  const time = new Date(given)
  if (Number.isNaN(time.getTime()) || time <= at) throw new Refusal('invalid', `${field}: ${EXPIRY}`)
  return time
}
