/** The verbs that the two kinds of keys have in common: senders' keys, and operator keys. */
import type { Command } from './command.ts'
import type { CommandContext } from './operator-context.ts'
import { organizationNames } from './organization-of.ts'
import { onStore } from './store-command.ts'

export interface GivenTerms {
  description?: string
  expires?: string
}

interface ListedKey {
  keyId: string
  /** Null for a key that reaches all organizations. */
  organizationId: number | null
  last4: string
}

/** Adds `create` and returns it, for the option of its organization and its action. */
export const createVerb = (keys: Command): Command =>
  keys
    .command('create')
    .description('make a key, and show it this one time: a test key in the store of a sandbox, else a live one')
    .option('--description <TEXT>', 'what it is for')
    .option('--expires <TIME>', '2027-01-01 or 2027-01-01T09:00:00Z; by default it never expires')

export const addList = (keys: Command, list: (context: CommandContext) => Promise<readonly ListedKey[]>): Command =>
  keys
    .command('list')
    .description('list ids, organizations, last four characters, last use')
    .action(
      onStore(async ({ context }) => {
        const nameOf = await organizationNames(context)
        return (await list(context)).map(({ keyId, organizationId, last4, ...key }) => ({
          keyId,
          organization: organizationId === null ? null : nameOf(organizationId),
          endsWith: last4,
          ...key,
        }))
      }),
    )

/** Adds `revoke` and returns it, for its own options and its action. */
export const revokeVerb = (keys: Command): Command =>
  keys.command('revoke').description('end a key at once').argument('<KEY-ID>')

/** @param revoke throws when there is no such key */
export const addRevoke = (keys: Command, revoke: (context: CommandContext, keyId: string) => Promise<void>): Command =>
  revokeVerb(keys).action(
    onStore(async ({ context, operands: [keyId = ''] }) => {
      await revoke(context, keyId)
      return { keyId, revokedAt: context.at.toISOString() }
    }),
  )
