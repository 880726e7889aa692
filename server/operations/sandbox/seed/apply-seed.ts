/** Fills a store with a seed: what it names is made, or corrected where it is there already. */
import { type Actor, SERVICE } from '../../../domain/audit.ts'
import { Refusal } from '../../../domain/refusal.ts'
import type { Keyring } from '../../../keys/keyring.ts'
import type { Directory } from '../../../store/store.ts'
import {
  changeOf,
  NEW_TEMPLATE,
  requireSignature,
  requireStampableValues,
} from '../../operator/templates/template-rules.ts'
import type { Seed, SeedTemplate } from './seed.ts'

export type Issuing = Pick<Keyring, 'issue'>

/** A key that was made for an organization of the seed. */
export interface SeededKey {
  organization: string
  key: string
}

/** The parts of the directory that stay when the store starts over. */
export const keptBy = ({ organizations, signers, people, documentTypes }: Seed) => ({
  organizations: organizations.map(({ name }) => name),
  signers: signers.map(({ npi }) => npi),
  people: [...people.map(({ email }) => email), ...signers.map(addressOf)],
  documentTypes,
})

/**
 * Applies a seed in a transaction, and keeps it for the next reset. Organizations that are there keep their keys. Returns the keys
 * that it made.
 */
export async function applySeed(
  store: Directory,
  keyring: Issuing,
  seed: Seed,
  at: Date,
  by: Actor = SERVICE,
): Promise<SeededKey[]> {
  const types = await store.documentTypes.list()
  for (const { id, ...type } of seed.documentTypes)
    if (!types.some(({ name, category }) => name === type.name && category === type.category))
      await store.documentTypes.create({ ...type, ...(typeof id === 'number' && { id }) }, at, by)

  const ids = new Map<string, number>()
  const made: SeededKey[] = []
  for (const organization of seed.organizations) {
    const { id, isNew } = await putOrganization(store, organization, at, by)
    ids.set(organization.name, id)
    for (const template of organization.templates)
      await store.forOrganization(id, by).templates.create(templateOf(template, organization.name), at)
    if (!isNew || !organization.sends) continue
    const { key } = await keyring.issue(id, 'Demo', at, { personName: organization.keyOwner ?? null, by })
    made.push({ organization: organization.name, key })
  }
  const idOf = (name: string) => ids.get(name)!
  for (const { practices, isActive, script, ...signer } of seed.signers)
    await store.providers.put(
      { ...signer, organizationIds: practices.map(idOf), isActive: isActive ?? true, script: scriptOf(script) },
      at,
      by,
    )
  for (const signer of seed.signers.filter(({ isActive }) => isActive ?? true)) {
    const { npi, signingName: name } = signer
    const account = { email: addressOf(signer), name, role: 'signer', npi, organizationId: null } as const
    await store.people.put({ ...account, passwordHash: null }, at, by)
  }
  for (const { organization, ...person } of seed.people) {
    const organizationId = organization ? idOf(organization) : null
    await store.people.put({ ...person, npi: null, organizationId, passwordHash: null }, at, by)
  }
  await store.keepSeed(seed, at)
  return made
}

async function putOrganization(
  store: Directory,
  { name, npi, addresses, sends, allowsDelegation }: Seed['organizations'][number],
  at: Date,
  by: Actor,
): Promise<{ id: number; isNew: boolean }> {
  const values = {
    npi: npi ?? null,
    addresses,
    ingestionEnabled: sends ?? false,
    activeContent: { javaScript: 'strip', openAction: 'strip', embeddedFiles: 'strip' },
    coversTokens: true,
    signatureRule: 'atEnd',
    allowsDelegation: allowsDelegation ?? false,
    timeZone: null,
    documents: 'auto',
  } as const
  const known = await store.organizations.findByName(name)
  if (!known) return { id: await store.organizations.create({ name, ...values }, at, by), isNew: true }
  await store.organizations.update(known.id, { ...values, isActive: true }, at, by)
  return { id: known.id, isNew: false }
}

/** Throws a refusal that names each template of the seed that could not be used. */
export function checkTemplates({ organizations }: Seed): void {
  const errors = organizations.flatMap(({ name, templates }) =>
    templates.flatMap((template) => {
      try {
        templateOf(template, name)
        return []
      } catch (refusal) {
        if (!(refusal instanceof Refusal)) throw refusal
        return [...refusal.errors]
      }
    }),
  )
  if (errors.length > 0) throw new Refusal('invalid', ...errors)
}

/** Refuses fields that could not be stamped, and a template without a signature where that is not said. */
function templateOf({ id, isCustomTemplate, ...rules }: SeedTemplate, organization: string) {
  try {
    requireSignature(rules)
    requireStampableValues(rules)
  } catch (refusal) {
    if (!(refusal instanceof Refusal)) throw refusal
    const place = `organizations, ${organization}, template ${rules.summary}`
    throw new Refusal('invalid', ...refusal.errors.map((error) => `${place}, ${error}`))
  }
  return {
    ...NEW_TEMPLATE,
    ...changeOf(rules),
    ...(typeof id === 'number' && { templateId: id }),
    ...(typeof isCustomTemplate === 'boolean' && { isCustomTemplate }),
  }
}

function scriptOf(script: Seed['signers'][number]['script']) {
  if (!script) return null
  const { act, afterSeconds, reason } = script
  return { act, afterSeconds, ...(reason && { reason }) }
}

/** The address of a signer's account, which is made of the name; the NPI tells people of one name apart. */
function addressOf({ firstName, lastName }: Pick<Seed['signers'][number], 'firstName' | 'lastName'>): string {
  return `${firstName}.${lastName}@countersign.example`.toLowerCase().replaceAll(/\s/g, '-')
}
