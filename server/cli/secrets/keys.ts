/** `countersign keys`: API keys of senders. A key is shown once, when it is made; what is kept cannot be turned back into it. */
import { expiryOf, issueKey, listKeys, revokeKey, rotateKey, timeToCome } from '../../operations/operator/keys/keys.ts'
import { check, perform } from '../../operations/perform.ts'
import { addList, addRevoke, createVerb, type GivenTerms } from '../command/key-verbs.ts'
import type { CommandContext } from '../command/operator-context.ts'
import { organizationOf } from '../command/organization-of.ts'
import { onStore, storeCommand } from '../command/store-command.ts'

export const command = storeCommand('keys')

createVerb(command)
  .needs('--organization <NAME|ID>', 'for which it sends')
  .needs('--person <NAME>', 'of the organization, whose key it is')
  .action(
    onStore<{ organization: string; person: string } & GivenTerms>(
      async ({ context, given }) => {
        const { id, name } = await organizationOf(context, given.organization)
        const body = termsOf(given)
        const { keyId, key, ...terms } = await perform(issueKey, context, { params: { id: String(id) }, body })
        return { keyId, organization: name, personName: given.person, ...terms, key }
      },
      {
        check({ given }) {
          check(issueKey, { params: { id: '1' }, body: termsOf(given) })
          expiryOf(given.expires, new Date())
        },
      },
    ),
  )

const termsOf = ({ person: personName, description, expires: expiresAt }: { person: string } & GivenTerms) => ({
  personName,
  description,
  expiresAt,
})

addList(command, (context) => perform(listKeys, context))

command
  .command('rotate')
  .description('make a key that replaces another one, and show it this one time; both are valid until a chosen time')
  .argument('<KEY-ID>')
  .needs('--until <TIME>', 'when the replaced key ends: 2027-01-01 or 2027-01-01T09:00:00Z')
  .option('--expires <TIME>', 'of the new key; by default it never expires')
  .action(
    onStore<{ until: string; expires?: string }>(
      async ({ context, operands: [keyId = ''], given: { until, expires: expiresAt } }) => {
        const params = await placeOf(context, keyId)
        const { key, ...terms } = await perform(rotateKey, context, { params, body: { until, expiresAt } })
        return { ...terms, replaces: keyId, until: new Date(until).toISOString(), key }
      },
      { check: ({ given }) => void timeToCome('until', given.until, new Date()) },
    ),
  )

addRevoke(command, async (context, keyId) => {
  await perform(revokeKey, context, { params: await placeOf(context, keyId) })
})

async function placeOf(context: CommandContext, keyId: string) {
  const found = (await perform(listKeys, context)).find((key) => key.keyId === keyId)
  if (!found) throw new Error(`There is no key ${keyId}. countersign keys list shows them.`)
  return { id: String(found.organizationId), keyId }
}
