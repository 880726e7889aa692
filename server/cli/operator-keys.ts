/** `countersign operator-keys`: keys with which programs use the operator's interface. A key is shown once, when it is made. */
import { issueOperatorKey, listOperatorKeys, revokeOperatorKey } from '../operations/operator/operator-keys.ts'
import { EXPIRES, expiryOf, type GivenExpiry } from './command/expiry.ts'
import { namesOf, organizationOf } from './command/organization-of.ts'
import { onStore, storeCommand } from './command/store-command.ts'

export const command = storeCommand('operator-keys', 'keys with which programs use /admin/v1')

command
  .command('create')
  .description('make a key, and show it this one time; with --sandbox a test key, which a live service refuses')
  .option('--organization <NAME|ID>', 'keep it to one organization, as an administrator is; else it is an operator')
  .option('--description <TEXT>', 'what it is for')
  .option(...EXPIRES)
  .action(
    onStore<{ organization?: string; description?: string } & GivenExpiry>(
      async ({ context, given }) => {
        const { organization: nameOrId, description = '' } = given
        const organization = nameOrId === undefined ? null : await organizationOf(context, nameOrId)
        const { keyId, mode, expiresAt, key } = await issueOperatorKey(context, {
          description,
          organizationId: organization?.id ?? null,
          expiresAt: expiryOf(given),
        })
        return { keyId, organization: organization?.name ?? null, mode, expiresAt, key }
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
      return (await listOperatorKeys(context)).map(({ keyId, organizationId, last4, ...key }) => ({
        keyId,
        organization: organizationId === null ? null : nameOf(organizationId),
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
      await revokeOperatorKey(context, keyId)
      return { keyId, revokedAt: context.at.toISOString() }
    }),
  )
