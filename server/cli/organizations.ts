/** `countersign organizations`: senders with keys, and practices that signers belong to. */
import { defaultActiveContentPolicy } from '../../lib/pdf/prepare/active-content.ts'
import type { ChangeBody, Organization } from '../operations/operator/messages/organizations.ts'
import type { OperatorContext } from '../operations/operator/operator-context.ts'
import {
  createOrganization,
  listOrganizations,
  readOrganization,
  updateOrganization,
} from '../operations/operator/organizations.ts'
import { perform } from '../operations/perform.ts'
import { administer, type Given } from './command/administer.ts'
import { CommandError } from './command/command.ts'
import { organizationOf } from './command/organization-of.ts'
import { treatmentOptions, treatmentsOf } from './command/treatments.ts'

const HELP = `Usage: countersign organizations <create|list|set-npi|set-ingestion|set-active-content> [options]

  create                  adds a sender, or a practice that receives tasks
    --name TEXT           required; no two have the same
    --npi NUMBER          matched first when a task is routed; no two have the same
    --line TEXT --city TEXT --state TEXT --postal-code TEXT
                          the address, matched second
    --ingestion           its documents are taken in; without it, its tasks fail
    and any of the options of set-active-content
  list                    all of them, with their ids
  set-npi NAME|ID NUMBER|none
  set-ingestion NAME|ID on|off
  set-active-content NAME|ID
                          what becomes of parts of its PDFs that act by themselves; what is left out stays as it is
    --javascript strip|refuse|allow
                          scripts and actions
    --open-action strip|refuse|allow
                          what happens when the document is opened
    --embedded-files strip|refuse|allow
                          attached files, sound and film
                          strip (the default) removes it before the signer sees the document, and the certificate page
                          says so; refuse turns the document away; allow leaves it in the signed document
`

const text = { type: 'string' } as const

export const run = administer('organizations', HELP, {
  create: {
    options: {
      name: text,
      npi: text,
      line: text,
      city: text,
      state: text,
      'postal-code': text,
      ingestion: { type: 'boolean' },
      ...treatmentOptions,
    },
    async run({ context, given }) {
      const body = {
        name: given.needed('name'),
        npi: given.text('npi'),
        addresses: addressesOf(given),
        ingestionEnabled: given.isSet('ingestion'),
        activeContent: { ...defaultActiveContentPolicy, ...treatmentsOf(given) },
      }
      const { id } = await perform(createOrganization, context, { body })
      return inOneLine(await read(context, id))
    },
  },
  list: { run: async ({ context }) => (await perform(listOrganizations, context)).map(inOneLine) },
  'set-npi': {
    takes: ['NAME|ID', 'NUMBER|none'],
    async run({ context, operands: [nameOrId = '', npi = ''] }) {
      const { id, name } = await changed(context, nameOrId, { npi: npi === 'none' ? null : npi })
      return { id, name, npi: npi === 'none' ? null : npi }
    },
  },
  'set-ingestion': {
    takes: ['NAME|ID', 'on|off'],
    async run({ context, operands: [nameOrId = '', asked = ''] }) {
      if (asked !== 'on' && asked !== 'off') throw new CommandError('set-ingestion takes NAME|ID and on or off.')
      const { id, name, ingestionEnabled } = await changed(context, nameOrId, { ingestionEnabled: asked === 'on' })
      return { id, name, ingestionEnabled }
    },
  },
  'set-active-content': {
    options: treatmentOptions,
    takes: ['NAME|ID'],
    async run({ context, given, operands: [nameOrId = ''] }) {
      const asked = treatmentsOf(given)
      if (Object.keys(asked).length === 0)
        throw new CommandError('set-active-content takes --javascript, --open-action or --embedded-files.')
      const { id, name, activeContent } = await changed(context, nameOrId, { activeContent: asked })
      return { id, name, ...activeContent }
    },
  },
})

const read = async (context: OperatorContext, id: number): Promise<Organization> =>
  (await perform(readOrganization, context, { params: { id: String(id) } })).organization

/** The organization after the change. */
async function changed(context: OperatorContext, nameOrId: string, body: ChangeBody): Promise<Organization> {
  const { id } = await organizationOf(context, nameOrId)
  await perform(updateOrganization, context, { params: { id: String(id) }, body })
  return read(context, id)
}

/** Each treatment under its own name, so that people can tell which is which. */
const inOneLine = ({ activeContent, ...organization }: Organization) => ({ ...organization, ...activeContent })

/** One address, or none when no part of it is given. Whether it is whole, the operation says. */
function addressesOf(given: Given): object[] {
  const address = {
    line: given.text('line'),
    city: given.text('city'),
    state: given.text('state'),
    postalCode: given.text('postal-code'),
  }
  return Object.values(address).every((value) => value === undefined) ? [] : [address]
}
