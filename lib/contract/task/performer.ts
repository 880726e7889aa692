/** The one party who acts on a task. spec: Resources › Task: performers */
import * as z from 'zod'
import { docs } from '../docs.ts'
import { absent, MAX_ITEMS, Npi, OrganizationAddress, optional, rule, tooMany, upTo } from '../primitives.ts'

export const PerformerOrganization = z
  .object(
    {
      orgNPI: optional(upTo(255)).register(docs, {
        title: 'Organization NPI',
        description:
          'Matched first against the active organizations of the provider. One that none of them has, or that is no NPI, matches nothing.',
        examples: ['9999901017'],
      }),
      name: optional(upTo(255)).register(docs, {
        title: 'Organization name',
        description: 'For people to read; routing does not use it.',
        examples: ['Lakeside Family Practice'],
      }),
      addresses: optional(z.array(OrganizationAddress, rule('an array')).max(MAX_ITEMS, tooMany)).register(docs, {
        title: 'Organization addresses',
        description: 'Matched second, when no organization has the NPI.',
        examples: [[{ line: '100 Shore Lane', city: 'Duluth', state: 'MN', postalCode: '55802' }]],
      }),
    },
    absent,
  )
  .register(docs, {
    id: 'PerformerOrganization',
    title: 'Organization',
    description:
      "Who should receive the task: the organization the patient is related to, not a generic practice's NPI.",
    examples: [{ orgNPI: '9999901017', name: 'Lakeside Family Practice' }],
  })
export type PerformerOrganization = z.infer<typeof PerformerOrganization>

export const Performer = z
  .object(
    {
      signer: z.object({ userNPI: Npi }, absent).register(docs, {
        title: 'Signer',
        description: 'The person who signs, by NPI.',
        examples: [{ userNPI: '9999900019' }],
      }),
      organization: optional(PerformerOrganization).register(docs, {
        title: 'Organization',
        description: "If it is omitted or unmatched, the provider's primary organization receives the task.",
        examples: [{ orgNPI: '9999901017' }],
      }),
    },
    absent,
  )
  .register(docs, {
    id: 'Performer',
    title: 'Performer',
    description: 'The signer, and the organization that receives the task.',
    examples: [{ signer: { userNPI: '9999900019' }, organization: { orgNPI: '9999901017' } }],
  })
export type Performer = z.infer<typeof Performer>
