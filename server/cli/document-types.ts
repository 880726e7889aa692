/** `countersign document-types`: the kinds of documents that all senders may send. */
import { createDocumentType, listDocumentTypes } from '../operations/operator/document-types.ts'
import { perform } from '../operations/perform.ts'
import { administer } from './command/administer.ts'

const HELP = `Usage: countersign document-types <create|list> [options]

  create                  adds one; its id is what senders give as documentTypeId
    --name TEXT           required
    --category TEXT       required; the group that it belongs to
  list
`

const text = { type: 'string' } as const

export const run = administer('document-types', HELP, {
  create: {
    options: { name: text, category: text },
    async run({ context, given }) {
      const body = { name: given.needed('name'), category: given.needed('category') }
      return { ...(await perform(createDocumentType, context, { body })), ...body }
    },
  },
  list: { run: ({ context }) => perform(listDocumentTypes, context) },
})
