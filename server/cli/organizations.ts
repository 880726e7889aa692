/** `countersign organizations`: senders with keys, and practices that signers belong to. */
import { describeIssues } from '../../lib/contract/error.ts'
import { Address, Npi } from '../../lib/contract/primitives.ts'
import { defaultActiveContentPolicy } from '../../lib/pdf/active-content.ts'
import { OPERATOR } from '../domain/audit.ts'
import type { Organization } from '../store/organizations.ts'
import { administer, type Given, organizationOf } from './administer.ts'
import { CommandError } from './command.ts'
import { treatmentOptions, treatmentsOf } from './treatments.ts'

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
      ...{ name: text, npi: text, line: text, city: text, state: text, 'postal-code': text },
      ingestion: { type: 'boolean' },
      ...treatmentOptions,
    },
    async run({ store, at, given }) {
      const name = given.needed('name')
      const organization = {
        ...{ name, npi: npiOf(given.text('npi')), addresses: addressesOf(given) },
        ingestionEnabled: given.isSet('ingestion'),
        activeContent: { ...defaultActiveContentPolicy, ...treatmentsOf(given) },
      }
      if (await store.organizations.findByName(name)) throw new Error(`There is an organization ${name} already.`)
      return inOneLine({ id: await store.organizations.create(organization, at, OPERATOR), ...organization })
    },
  },
  list: { run: async ({ store }) => (await store.organizations.list()).map(inOneLine) },
  'set-npi': {
    takes: ['NAME|ID', 'NUMBER|none'],
    async run({ store, at, operands: [nameOrId = '', wish = ''] }) {
      const npi = wish === 'none' ? null : wish
      if (npi !== null && !Npi.safeParse(npi).success)
        throw new CommandError('set-npi takes NAME|ID and exactly 10 digits or none.')
      const { id, name } = await organizationOf(store, nameOrId)
      await store.organizations.update(id, { npi }, at)
      return { id, name, npi }
    },
  },
  'set-ingestion': {
    takes: ['NAME|ID', 'on|off'],
    async run({ store, at, operands: [nameOrId = '', wish = ''] }) {
      if (wish !== 'on' && wish !== 'off') throw new CommandError('set-ingestion takes NAME|ID and on or off.')
      const { id, name } = await organizationOf(store, nameOrId)
      await store.organizations.update(id, { ingestionEnabled: wish === 'on' }, at)
      return { id, name, ingestionEnabled: wish === 'on' }
    },
  },
  'set-active-content': {
    options: treatmentOptions,
    takes: ['NAME|ID'],
    async run({ store, at, given, operands: [nameOrId = ''] }) {
      const wish = treatmentsOf(given)
      if (Object.keys(wish).length === 0)
        throw new CommandError('set-active-content takes --javascript, --open-action or --embedded-files.')
      const { id, name, activeContent } = await organizationOf(store, nameOrId)
      await store.organizations.update(id, { activeContent: wish }, at)
      return { id, name, ...activeContent, ...wish }
    },
  },
})

/** Each treatment under its own name, so that people can tell which is which. */
const inOneLine = ({ activeContent, ...organization }: Organization) => ({ ...organization, ...activeContent })

function npiOf(sent: string | undefined): string | null {
  if (sent === undefined) return null
  if (!Npi.safeParse(sent).success) throw new CommandError('--npi: exactly 10 digits')
  return sent
}

function addressesOf(given: Given): Address[] {
  const address = {
    ...{ line: given.text('line'), city: given.text('city'), state: given.text('state') },
    postalCode: given.text('postal-code'),
  }
  if (Object.values(address).every((value) => value === undefined)) return []
  const read = Address.safeParse(address)
  if (read.success) return [read.data]
  throw new CommandError(`--${describeIssues(read.error).join('; --').replace('postalCode', 'postal-code')}`)
}
