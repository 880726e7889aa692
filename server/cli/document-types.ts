/** `countersign document-types`: the kinds of documents that all senders may send. */
import { createDocumentType, listDocumentTypes } from '../operations/operator/document-types.ts'
import { check, perform } from '../operations/perform.ts'
import { onStore, storeCommand } from './command/store-command.ts'

export const command = storeCommand('document-types')

command
  .command('create')
  .description('add one; its id is what senders give as documentTypeId')
  .needs('--name <TEXT>', 'what it is called')
  .needs('--category <TEXT>', 'the group that it belongs to')
  .action(
    onStore<{ name: string; category: string }>(
      async ({ context, given: { name, category } }) => {
        const body = { name, category }
        return { ...(await perform(createDocumentType, context, { body })), ...body }
      },
      {
        mayMake: () => true,
        check: ({ given: { name, category } }) => check(createDocumentType, { body: { name, category } }),
      },
    ),
  )

command
  .command('list')
  .description('list all')
  .action(onStore(({ context }) => perform(listDocumentTypes, context)))
