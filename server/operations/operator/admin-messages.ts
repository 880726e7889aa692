/** Organizations, keys, providers and accounts as the operator's interface shows and takes them. */
import * as z from 'zod'
import { docs } from '../../../lib/contract/docs.ts'
import { Address, id, Npi, optional, rule, text } from '../../../lib/contract/primitives.ts'
import { treatments } from '../../../lib/pdf/active-content.ts'

const Treatment = z.enum(treatments, rule(`one of ${treatments.join(', ')}`))

export const Organization = z
  .object({
    id: z.int(),
    name: z.string(),
    npi: z.string().nullable(),
    addresses: z.array(Address),
    /** Whether the organization may send documents. */
    ingestionEnabled: z.boolean(),
    /** What is done with active content in the documents that it sends. */
    activeContent: z.object({ javaScript: Treatment, openAction: Treatment, embeddedFiles: Treatment }),
  })
  .register(docs, {
    id: 'Organization',
    title: 'Organization',
    description: 'A sender with keys, or a practice that signers belong to.',
    examples: [
      {
        id: 4,
        name: 'Willow Creek Home Health',
        npi: null,
        addresses: [],
        ingestionEnabled: true,
        activeContent: { javaScript: 'strip', openAction: 'strip', embeddedFiles: 'strip' },
      },
    ],
  })
export type Organization = z.infer<typeof Organization>

/** A key as it may be shown: never the key itself. */
export const ListedKey = z.object({
  keyId: z.string(),
  organizationId: z.int(),
  description: z.string(),
  last4: z.string(),
  mode: z.enum(['test', 'live']),
  createdAt: z.string(),
  expiresAt: z.string().nullable(),
  lastUsedAt: z.string().nullable(),
  revokedAt: z.string().nullable(),
})
export type ListedKey = z.infer<typeof ListedKey>

/** An organization with what belongs to it. */
export const OrganizationFile = z.object({
  organization: Organization,
  keys: z.array(ListedKey),
  /**
   * Whether the caller is an operator, who alone changes what orders are routed by, who may send, and what may stay in a
   * document. Keys, and having active content stripped or refused, are the administrator's too.
   */
  mayChange: z.boolean(),
})
export type OrganizationFile = z.infer<typeof OrganizationFile>

const name = text(200)
const flag = z.boolean(rule('true or false'))
const treatment = Treatment.optional()

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

const expiry = 'a time to come, such as 2027-01-01'
export const KeyBody = z.object({
  description: optional(text(100)),
  /** A key without it never expires. */
  expiresAt: optional(z.union([z.iso.datetime({ offset: true }), z.iso.date()], rule(expiry))),
})
export type KeyBody = z.input<typeof KeyBody>

/** The one time that a key is shown. */
export const MadeKey = z.object({
  key: z.string(),
  keyId: z.string(),
  mode: z.enum(['test', 'live']),
  expiresAt: z.string().nullable(),
})
export type MadeKey = z.infer<typeof MadeKey>

const script = z.object({ act: z.enum(['sign', 'reject']), afterSeconds: z.number(), reason: z.string().optional() })

export const StoredProvider = z.object({
  npi: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  signingName: z.string(),
  isActive: z.boolean(),
  /** What a demo signer does by itself; null for a person. */
  script: script.nullable(),
  /** The primary one first. */
  organizations: z.array(Organization.pick({ id: true, name: true, npi: true, addresses: true })),
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
  /** As it is stamped, with the degree. */
  signingName: text(200),
  /** The primary one first. */
  organizationIds,
})
export type ProviderBody = z.input<typeof ProviderBody>

/** What is left out stays as it is. */
export const ProviderChangeBody = z.object({ isActive: flag, organizationIds }).partial()
export type ProviderChangeBody = z.input<typeof ProviderChangeBody>

const roles = ['signer', 'administrator', 'operator'] as const
const password = z.string(rule('a password')).max(200, 'a password of at most 200 characters')

export const Person = z.object({
  id: z.int(),
  email: z.string(),
  name: z.string(),
  role: z.enum(roles),
  /** Of a signer. */
  npi: z.string().nullable(),
  /** Of an administrator. */
  organizationId: z.int().nullable(),
})
export type Person = z.infer<typeof Person>

export const PasswordBody = z.object({ password })
export type PasswordBody = z.input<typeof PasswordBody>

export const AccountBody = z.object({
  email: text(254),
  name,
  role: z.enum(roles, rule(`one of ${roles.join(', ')}`)),
  npi: optional(Npi),
  organizationId: optional(id()),
  password,
})
export type AccountBody = z.input<typeof AccountBody>

export const DocumentTypeBody = z.object({ name: text(200), category: text(100) })
export type DocumentTypeBody = z.input<typeof DocumentTypeBody>
