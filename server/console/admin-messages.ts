/** What the console's page and its server say of organizations, keys, providers and accounts. */
import * as z from 'zod'
import { Address, id, Npi, optional, rule, text } from '../../lib/contract/primitives.ts'
import { treatments } from '../../lib/pdf/active-content.ts'
import type { Organization } from '../store/organizations.ts'
import type { Person } from '../store/people.ts'
import type { StoredProvider } from '../store/providers.ts'

export type { Organization, Person, StoredProvider }

/** A key as it may be shown: never the key itself. */
export interface ListedKey {
  keyId: string
  description: string
  last4: string
  mode: 'test' | 'live'
  createdAt: string
  lastUsedAt: string | null
  revokedAt: string | null
}

/** An organization with what belongs to it. */
export interface OrganizationFile {
  organization: Organization
  keys: ListedKey[]
  /**
   * Whether the visitor may change what orders are routed by, whether it may send, and what is left in its documents: an
   * operator. Keys, and what is removed or refused, are an administrator's too.
   */
  mayChange: boolean
}

const name = text(200)
const flag = z.boolean(rule('true or false'))

const treatment = z.enum(treatments, rule(`one of ${treatments.join(', ')}`)).optional()

export const OrganizationBody = z.object({
  name,
  npi: optional(Npi),
  addresses: z.array(Address, rule('an array')).max(20, 'at most 20 addresses'),
  ingestionEnabled: flag,
  activeContent: z
    .object({ javaScript: treatment, openAction: treatment, embeddedFiles: treatment }, rule('an object'))
    .refine((policy) => Object.keys(policy).length > 0, 'at least one of javaScript, openAction, embeddedFiles')
    .optional(),
})
export type OrganizationBody = z.input<typeof OrganizationBody>

export const ChangeBody = OrganizationBody.omit({ name: true }).partial()
export type ChangeBody = z.input<typeof ChangeBody>

export const KeyBody = z.object({ description: text(100) })
export type KeyBody = z.input<typeof KeyBody>

export const RevokeBody = z.object({ keyId: text(40) })
export type RevokeBody = z.input<typeof RevokeBody>

export const ProviderBody = z.object({
  npi: Npi,
  firstName: text(100),
  lastName: text(100),
  /** As it is stamped, with the degree. */
  signingName: text(200),
  /** The primary one first. */
  organizationIds: z
    .array(id(), rule('an array'))
    .min(1, 'at least one organization')
    .max(50, 'at most 50')
    .refine((ids) => new Set(ids).size === ids.length, 'each organization once'),
})
export type ProviderBody = z.input<typeof ProviderBody>

export const ProviderChangeBody = z.object({ npi: Npi, isActive: flag })
export type ProviderChangeBody = z.input<typeof ProviderChangeBody>

/** Where a provider signs from now on, the primary organization first. */
export const MembershipBody = ProviderBody.pick({ npi: true, organizationIds: true })
export type MembershipBody = z.input<typeof MembershipBody>

const password = z.string(rule('a password')).max(200, 'a password of at most 200 characters')

export const PasswordBody = z.object({ password })
export type PasswordBody = z.input<typeof PasswordBody>

export const AccountBody = z.object({
  email: text(254),
  name,
  role: z.enum(['signer', 'administrator', 'operator'], rule('one of signer, administrator, operator')),
  npi: optional(Npi),
  organizationId: optional(id()),
  password,
})
export type AccountBody = z.input<typeof AccountBody>

export const DocumentTypeBody = z.object({ name: text(200), category: text(100) })
export type DocumentTypeBody = z.input<typeof DocumentTypeBody>
