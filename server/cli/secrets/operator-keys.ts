/** `countersign operator-keys`: keys with which programs use the operator's interface. A key is shown once, when it is made. */
import { expiryOf } from '../../operations/operator/keys/keys.ts'
import { issueOperatorKey, listOperatorKeys, revokeOperatorKey } from '../../operations/operator/keys/operator-keys.ts'
import { addList, addRevoke, createVerb, type GivenTerms } from '../command/key-verbs.ts'
import { organizationOf } from '../command/organization-of.ts'
import { onStore, storeCommand } from '../command/store-command.ts'

export const command = storeCommand('operator-keys')

createVerb(command)
  .option('--organization <NAME|ID>', 'restrict it to one organization, like an administrator; else it is an operator')
  .action(
    onStore<{ organization?: string } & GivenTerms>(
      async ({ context, given }) => {
        const { organization: nameOrId, description = '', expires: expiresAt = null } = given
        const { id, name } = nameOrId === undefined ? EVERY : await organizationOf(context, nameOrId)
        const asked = { description, organizationId: id, expiresAt }
        const { keyId, key, ...terms } = await issueOperatorKey(context, asked)
        return { keyId, organization: name, ...terms, key }
      },
      { mayMake: () => true, check: ({ given }) => void expiryOf(given.expires, new Date()) },
    ),
  )

addList(command, listOperatorKeys)
addRevoke(command, revokeOperatorKey)

/** In place of an organization, for a key that reaches all of them. */
const EVERY = { id: null, name: null }
