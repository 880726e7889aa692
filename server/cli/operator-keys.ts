/** `countersign operator-keys`: keys with which programs use the operator's interface. A key is shown once, when it is made. */
import { issueOperatorKey, listOperatorKeys, revokeOperatorKey } from '../operations/operator/operator-keys.ts'
import { administer } from './command/administer.ts'
import { expiryOf } from './command/expiry.ts'
import { namesOf, organizationOf } from './command/organization-of.ts'

const HELP = `Usage: countersign operator-keys <create|list|revoke> [options]

  create                  makes a key for /admin/v1, and shows it this one time
    --organization NAME|ID   keeps it to one organization, as an administrator is;
                          without it, it may do all that an operator may
    --description TEXT    what it is for
    --expires TIME        2027-01-01 or 2027-01-01T09:00:00Z; never when left out
  list                    ids, organizations, last four characters, last use
  revoke KEY-ID           ends a key at once

  With --sandbox, create makes a test key; a live service refuses it.
`

const text = { type: 'string' } as const

export const run = administer('operator-keys', HELP, {
  create: {
    options: { organization: text, description: text, expires: text },
    async run({ context, given }) {
      const nameOrId = given.text('organization')
      const organization = nameOrId === undefined ? null : await organizationOf(context, nameOrId)
      const { keyId, mode, expiresAt, key } = await issueOperatorKey(context, {
        description: given.text('description') ?? '',
        organizationId: organization?.id ?? null,
        expiresAt: expiryOf(given),
      })
      return { keyId, organization: organization?.name ?? null, mode, expiresAt, key }
    },
  },
  list: {
    async run({ context }) {
      const nameOf = await namesOf(context)
      return (await listOperatorKeys(context)).map(({ keyId, organizationId, last4, ...key }) => ({
        keyId,
        organization: organizationId === null ? null : nameOf(organizationId),
        endsWith: last4,
        ...key,
      }))
    },
  },
  revoke: {
    takes: ['KEY-ID'],
    async run({ context, operands: [keyId = ''] }) {
      await revokeOperatorKey(context, keyId)
      return { keyId, revokedAt: context.at.toISOString() }
    },
  },
})
