/** `countersign keys`: API keys of senders. A key is shown once, when it is made; what is kept cannot be turned back into it. */
import { issueKey, listKeys, revokeKey } from '../operations/operator/keys.ts'
import { perform } from '../operations/perform.ts'
import { administer } from './command/administer.ts'
import { expiryOf } from './command/expiry.ts'
import { namesOf, organizationOf } from './command/organization-of.ts'

const HELP = `Usage: countersign keys <create|list|revoke> [options]

  create                  makes a key, and shows it this one time
    --organization NAME|ID   whose key it is; required
    --description TEXT    what it is for
    --expires TIME        2027-01-01 or 2027-01-01T09:00:00Z; never when left out
  list                    ids, organizations, last four characters, last use
  revoke KEY-ID           ends a key at once

  With --sandbox, create makes a test key; a live service refuses it.
`

const text = { type: 'string' } as const

export const run = administer('keys', HELP, {
  create: {
    options: { organization: text, description: text, expires: text },
    async run({ context, given }) {
      const { id, name } = await organizationOf(context, given.needed('organization'))
      const body = { description: given.text('description'), expiresAt: expiryOf(given) }
      const { key, keyId, mode, expiresAt } = await perform(issueKey, context, { params: { id: String(id) }, body })
      return { keyId, organization: name, mode, expiresAt, key }
    },
  },
  list: {
    async run({ context }) {
      const nameOf = await namesOf(context)
      return (await perform(listKeys, context)).map(({ keyId, organizationId, last4, ...key }) => ({
        keyId,
        organization: nameOf(organizationId),
        endsWith: last4,
        ...key,
      }))
    },
  },
  revoke: {
    takes: ['KEY-ID'],
    async run({ context, operands: [keyId = ''] }) {
      const found = (await perform(listKeys, context)).find((key) => key.keyId === keyId)
      if (!found) throw new Error(`There is no key ${keyId}. countersign keys list shows them.`)
      await perform(revokeKey, context, { params: { id: String(found.organizationId), keyId } })
      return { keyId, revokedAt: context.at.toISOString() }
    },
  },
})
