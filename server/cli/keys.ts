/** `countersign keys`: API keys of senders. A key is shown once, when it is made; what is kept cannot be turned back into it. */
import { issueKey, listKeys, revokeKey } from '../operations/operator/keys.ts'
import { perform } from '../operations/perform.ts'
import { EXPIRES, expiryOf, type GivenExpiry } from './command/expiry.ts'
import { namesOf, organizationOf } from './command/organization-of.ts'
import { onStore, storeCommand } from './command/store-command.ts'

export const command = storeCommand('keys', 'API keys of senders')

command
  .command('create')
  .description('make a key, and show it this one time; with --sandbox a test key, which a live service refuses')
  .needs('--organization <NAME|ID>', 'whose key it is')
  .option('--description <TEXT>', 'what it is for')
  .option(...EXPIRES)
  .action(
    onStore<{ organization: string; description?: string } & GivenExpiry>(
      async ({ context, given }) => {
        const { id, name } = await organizationOf(context, given.organization)
        const body = { description: given.description, expiresAt: expiryOf(given) }
        const { key, keyId, mode, expiresAt } = await perform(issueKey, context, { params: { id: String(id) }, body })
        return { keyId, organization: name, mode, expiresAt, key }
      },
      { mayMake: true },
    ),
  )

command
  .command('list')
  .description('list ids, organizations, last four characters, last use')
  .action(
    onStore(async ({ context }) => {
      const nameOf = await namesOf(context)
      return (await perform(listKeys, context)).map(({ keyId, organizationId, last4, ...key }) => ({
        keyId,
        organization: nameOf(organizationId),
        endsWith: last4,
        ...key,
      }))
    }),
  )

command
  .command('revoke')
  .description('end a key at once')
  .argument('<KEY-ID>')
  .action(
    onStore(async ({ context, operands: [keyId = ''] }) => {
      const found = (await perform(listKeys, context)).find((key) => key.keyId === keyId)
      if (!found) throw new Error(`There is no key ${keyId}. countersign keys list shows them.`)
      await perform(revokeKey, context, { params: { id: String(found.organizationId), keyId } })
      return { keyId, revokedAt: context.at.toISOString() }
    }),
  )
