/** `countersign delegations`: who signs for whom in an organization, and ending it. */
import { endDelegation, listDelegations } from '../operations/operator/delegations.ts'
import { check, perform } from '../operations/perform.ts'
import { organizationOf } from './command/organization-of.ts'
import { onStore, storeCommand } from './command/store-command.ts'

export const command = storeCommand('delegations')

command
  .command('list')
  .description('list those of an organization that hold or are still to come')
  .argument('<NAME|ID>')
  .action(
    onStore(async ({ context, operands: [nameOrId = ''] }) => {
      const { id } = await organizationOf(context, nameOrId)
      return perform(listDelegations, context, { params: { id: String(id) } })
    }),
  )

command
  .command('end')
  .description('end one at once')
  .argument('<ID>')
  .action(
    onStore(
      async ({ context, operands: [id = ''] }) => {
        await perform(endDelegation, context, { params: { id } })
        return { id: Number(id), hasEnded: true }
      },
      { check: ({ operands: [id = ''] }) => check(endDelegation, { params: { id } }) },
    ),
  )
