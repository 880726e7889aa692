/** `countersign keys`: API keys of senders. A key is shown once, when it is made; what is kept cannot be turned back into it. */
import { randomBytes } from 'node:crypto'
import { createKeyring } from '../keys/keyring.ts'
import type { StoredKey } from '../store/keys.ts'
import type { Store } from '../store/store.ts'
import { administer, organizationOf } from './administer.ts'
import { CommandError } from './command.ts'

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
    async run({ store, at, given }) {
      const expiresAt = expiry(given.text('expires'), at)
      const organization = await organizationOf(store, given.needed('organization'))
      const keyring = createKeyring(store, given.isSet('sandbox') ? 'test' : 'live', randomBytes)
      const made = await keyring.issue(organization.id, given.text('description') ?? '', at, { expiresAt })
      return { keyId: made.keyId, organization: organization.name, mode: made.mode, expiresAt, key: made.key }
    },
  },
  list: { run: ({ store }) => list(store) },
  revoke: {
    takes: ['KEY-ID'],
    async run({ store, at, operands: [keyId = ''] }) {
      if (!(await store.keys.find(keyId)))
        throw new Error(`There is no key ${keyId}. countersign keys list shows them.`)
      if (!(await store.keys.revoke(keyId, at))) throw new Error(`Key ${keyId} is revoked already.`)
      return { keyId, revokedAt: at.toISOString() }
    },
  },
})

async function list(store: Store) {
  const names = new Map((await store.organizations.list()).map(({ id, name }) => [id, name]))
  return (await store.keys.list()).map(({ keyId, digest, organizationId, last4, ...key }: StoredKey) => ({
    keyId,
    organization: names.get(organizationId),
    endsWith: last4,
    ...key,
  }))
}

function expiry(sent: string | undefined, at: Date): string | null {
  if (sent === undefined) return null
  const time = new Date(sent)
  if (Number.isNaN(time.getTime()) || time <= at)
    throw new CommandError('--expires: a time to come, such as 2027-01-01')
  return time.toISOString()
}
