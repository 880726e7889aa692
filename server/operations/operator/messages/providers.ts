/** Providers as the operator's interface shows and takes them. */
import * as z from 'zod'
import { id, Npi, rule, text } from '../../../../lib/contract/primitives.ts'
import { Organization } from './organizations.ts'

const script = z.object({ act: z.enum(['sign', 'reject']), afterSeconds: z.number(), reason: z.string().optional() })

export const StoredProvider = z.object({
  npi: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  signingName: z.string(),
  isActive: z.boolean(),
  /** The script of a demo signer; null for a person. */
  script: script.nullable(),
  /** The primary one first. One that is itself inactive receives nothing. */
  organizations: z.array(Organization.pick({ id: true, name: true, npi: true, addresses: true, isActive: true })),
})
export type StoredProvider = z.infer<typeof StoredProvider>

const organizationIds = z
  .array(id(), rule('an array'))
  .min(1, 'at least one organization')
  .max(50, 'at most 50')
  .refine((ids) => new Set(ids).size === ids.length, 'each organization once')

export const ProviderBody = z.object({
  npi: Npi,
  firstName: text(100),
  lastName: text(100),
  /** The name as it is stamped, with the degree. */
  signingName: text(200),
  /** The primary one first. */
  organizationIds,
})
export type ProviderBody = z.input<typeof ProviderBody>

/** An omitted member keeps its value. */
export const ProviderChangeBody = z.object({ isActive: z.boolean(rule('true or false')), organizationIds }).partial()
export type ProviderChangeBody = z.input<typeof ProviderChangeBody>
