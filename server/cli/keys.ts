/** `countersign keys`: API keys of senders. A key is shown once, when it is made; what is kept cannot be turned back into it. */
import { issueKey, listKeys, revokeKey } from '../operations/operator/keys/keys.ts'
import { perform } from '../operations/perform.ts'
import { addList, addRevoke, createVerb, type GivenTerms } from './command/key-verbs.ts'
import { organizationOf } from './command/organization-of.ts'
import { onStore, storeCommand } from './command/store-command.ts'

export const command = storeCommand('keys', 'API keys of senders')

createVerb(command)
  .needs('--organization <NAME|ID>', 'whose key it is')
  .action(
    onStore<{ organization: string } & GivenTerms>(
      async ({ context, given }) => {
        const { id, name } = await organizationOf(context, given.organization)
        const body = { description: given.description, expiresAt: given.expires }
        const { keyId, key, ...terms } = await perform(issueKey, context, { params: { id: String(id) }, body })
        return { keyId, organization: name, ...terms, key }
      },
      { mayMake: true },
    ),
  )

addList(command, (context) => perform(listKeys, context))

addRevoke(command, async (context, keyId) => {
  const found = (await perform(listKeys, context)).find((key) => key.keyId === keyId)
  if (!found) throw new Error(`There is no key ${keyId}. countersign keys list shows them.`)
  await perform(revokeKey, context, { params: { id: String(found.organizationId), keyId } })
})
