/** `countersign organizations`: senders with keys, and practices that signers belong to. */
import { describeIssues } from '../../lib/contract/error.ts'
import { Address, Npi } from '../../lib/contract/primitives.ts'
import { OPERATOR } from '../domain/audit.ts'
import { administer, type Given, organizationOf } from './administer.ts'
import { CommandError } from './command.ts'

const HELP = `Usage: countersign organizations <create|list|set-npi|set-ingestion> [options]

  create                  adds a sender, or a practice that receives tasks
    --name TEXT           required; no two have the same
    --npi NUMBER          matched first when a task is routed; no two have the same
    --line TEXT --city TEXT --state TEXT --postal-code TEXT
                          the address, matched second
    --ingestion           its documents are taken in; without it, its tasks fail
  list                    all of them, with their ids
  set-npi NAME|ID NUMBER|none
  set-ingestion NAME|ID on|off
`

const text = { type: 'string' } as const

export const run = administer('organizations', HELP, {
  create: {
    options: {
      ...{ name: text, npi: text, line: text, city: text, state: text, 'postal-code': text },
      ingestion: { type: 'boolean' },
    },
    async run({ store, at, given }) {
      const name = given.needed('name')
      const organization = {
        ...{ name, npi: npiOf(given.text('npi')), addresses: addressesOf(given) },
        ingestionEnabled: given.isSet('ingestion'),
      }
      if (await store.organizations.findByName(name)) throw new Error(`There is an organization ${name} already.`)
      return { id: await store.organizations.create(organization, at, OPERATOR), ...organization }
    },
  },
  list: { run: ({ store }) => store.organizations.list() },
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
})

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
