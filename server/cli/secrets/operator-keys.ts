/** `countersign operator-keys`: keys with which programs use the operator's interface. A key is shown once, when it is made. */
import { type OperatorScope, operatorScopes } from '../../domain/operator-scopes.ts'
import { expiryOf } from '../../operations/operator/keys/keys.ts'
import { issueOperatorKey, listOperatorKeys, revokeOperatorKey } from '../../operations/operator/keys/operator-keys.ts'
import { CommandError } from '../command/command-error.ts'
import { addList, createVerb, type GivenTerms, revokeVerb } from '../command/key-verbs.ts'
import { organizationOf } from '../command/organization-of.ts'
import { onStore, storeCommand } from '../command/store-command.ts'

export const command = storeCommand('operator-keys')

createVerb(command)
  .option('--organization <NAME|ID>', 'restrict it to one organization, like an administrator; else it is an operator')
  .option(
    '--scope <NAMES>',
    'what it may do beyond tasks and settings, separated by commas: accounts (with passwords and second factors), keys (of senders)',
  )
  .action(
    onStore<{ organization?: string; scope?: string } & GivenTerms>(
      async ({ context, given }) => {
        const { organization: nameOrId, description = '', expires: expiresAt = null } = given
        const { id, name } = nameOrId === undefined ? EVERY : await organizationOf(context, nameOrId)
        const asked = { description, organizationId: id, expiresAt, scopes: scopesOf(given.scope) }
        const { keyId, key, ...terms } = await issueOperatorKey(context, asked)
        return { keyId, organization: name, ...terms, key }
      },
      {
        mayMake: () => true,
        check: ({ given }) => {
          expiryOf(given.expires, new Date())
          scopesOf(given.scope)
        },
      },
    ),
  )

addList(command, listOperatorKeys)

revokeVerb(command)
  .option('--disable-made', 'also disable what the key has made, and what was made by that')
  .action(
    onStore<{ disableMade?: true }>(async ({ context, given: { disableMade = false }, operands: [keyId = ''] }) => {
      const { made } = await revokeOperatorKey(context, keyId, { disablesMade: disableMade })
      return { keyId, revokedAt: context.at.toISOString(), made }
    }),
  )

/** Refuses what is not a scope. */
function scopesOf(given = ''): OperatorScope[] {
  const names = given.split(',').map((name) => name.trim())
  const unknown = names.find((name) => name !== '' && !(operatorScopes as readonly string[]).includes(name))
  if (unknown !== undefined) throw new CommandError(`--scope: ${operatorScopes.join(' or ')}, separated by commas`)
  return operatorScopes.filter((scope) => names.includes(scope))
}

/** In place of an organization, for a key that reaches all of them. */
const EVERY = { id: null, name: null }
