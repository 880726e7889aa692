/** Fills an empty store with the demo's organizations, signers, document types and templates, and leaves any other alone. */
import type { Keyring } from '../keys/keyring.ts'
import type { SeededKey } from '../service.ts'
import type { Directory, Store } from '../store/store.ts'
import { documentTypes, templates } from './catalog.ts'
import { keyPersons, type Practice, practices, providers, senders, staff } from './people.ts'

type KeyringOf = (store: Directory) => Pick<Keyring, 'issue'>

/** Returns the keys that it made; none when the store was seeded before. Seeds all or nothing. */
export const seedDemo = (store: Pick<Store, 'atOnce'>, keyringOf: KeyringOf, at: Date): Promise<SeededKey[]> =>
  store.atOnce((inside) => seedIn(inside, keyringOf(inside), at))

async function seedIn(store: Directory, keyring: Pick<Keyring, 'issue'>, at: Date): Promise<SeededKey[]> {
  if ((await store.documentTypes.list()).length > 0) return []
  for (const type of documentTypes) await store.documentTypes.create(type, at)

  const ids = new Map<Practice, number>()
  for (const [name, practice] of Object.entries(practices))
    ids.set(name as Practice, await store.organizations.create(practice, at))
  for (const { practices: where, ...provider } of providers)
    await store.providers.create({ ...provider, organizationIds: where.map((name) => ids.get(name)!) }, at)

  for (const { npi, firstName, lastName, signingName } of providers.filter(({ isActive }) => isActive)) {
    const email = `${firstName}.${lastName}@countersign.example`.toLowerCase()
    const person = { email, name: signingName, role: 'signer', npi, organizationId: null, passwordHash: null } as const
    await store.people.create(person, at)
  }

  const made: SeededKey[] = []
  const senderIds = new Map<string, number>()
  for (const name of senders) {
    const id = await store.organizations.create({ name, npi: null, addresses: [], ingestionEnabled: true }, at)
    senderIds.set(name, id)
    for (const template of templates[name]) await store.forOrganization(id).templates.create(template, at)
    made.push({ organization: name, key: (await keyring.issue(id, 'Demo', at, { personName: keyPersons[name] })).key })
  }
  for (const { sender, ...person } of staff) {
    const organizationId = sender === null ? null : senderIds.get(sender)!
    await store.people.create({ ...person, npi: null, organizationId, passwordHash: null }, at)
  }
  return made
}
