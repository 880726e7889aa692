/** The demo: a seed with two senders, their templates, and signers of three practices. */
import { Seed } from '../operations/sandbox/seed/seed.ts'
import { documentTypes, templates } from './catalog.ts'
import { keyPersons, practices, providers, senders, staff } from './people.ts'

export const demoSeed: Seed = Seed.parse({
  documentTypes,
  organizations: [
    ...Object.values(practices),
    ...senders.map((name) => ({ name, sends: true, keyOwner: keyPersons[name], templates: templates[name] })),
  ],
  signers: providers,
  people: staff,
})
