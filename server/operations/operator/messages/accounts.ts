/** Accounts as the operator's interface shows and takes them. */
import * as z from 'zod'
import { docs } from '../../../../lib/contract/docs.ts'
import { id, Npi, optional, queryFlag, rule, text } from '../../../../lib/contract/primitives.ts'

const roles = ['signer', 'administrator', 'operator'] as const
const password = z.string(rule('a password')).max(200, 'a password of at most 200 characters')

export const Person = z.object({
  id: z.int(),
  email: z.string(),
  name: z.string(),
  role: z.enum(roles),
  /** Set for signers. */
  npi: z.string().nullable(),
  /** Set for administrators. */
  organizationId: z.int().nullable(),
  /** Since when the person may not sign in; null while they may. */
  disabledAt: z.string().nullable(),
  /** When the account ended permanently. */
  removedAt: z.string().nullable(),
  lastSignInAt: z
    .string()
    .nullable()
    .register(docs, {
      title: 'Last sign-in',
      description: 'When the person signed in the last time; null where they have not since this is kept.',
      examples: ['2026-03-02T09:00:00.000Z'],
    }),
  /** Whether someone has to wait, because of wrong passwords, before they can try to sign in again. */
  isLocked: z.boolean(),
  /** Whether the account is linked to an identity of single sign-on. */
  isLinked: z.boolean(),
  /** Whether a sign-in with the password asks for a code, too. */
  hasSecondFactor: z.boolean(),
})
export type Person = z.infer<typeof Person>

export const AccountsQuery = z.strictObject({
  removed: queryFlag()
    .optional()
    .register(docs, {
      title: 'Removed',
      description: 'Lists the accounts that were removed, instead of those that are there.',
      examples: [true],
      type: 'boolean',
    }),
})

/** An omitted member keeps its value. */
export const AccountChangeBody = z
  .object({
    isActive: z.boolean(rule('true or false')),
    name: text(200),
    email: text(254),
    role: z.enum(roles, rule(`one of ${roles.join(', ')}`)),
    npi: optional(Npi),
    organizationId: optional(id()),
  })
  .partial()
export type AccountChangeBody = z.input<typeof AccountChangeBody>

export const PasswordBody = z.object({ password })
export type PasswordBody = z.input<typeof PasswordBody>

export const AccountBody = z.object({
  email: text(254),
  name: text(200),
  role: z.enum(roles, rule(`one of ${roles.join(', ')}`)),
  npi: optional(Npi),
  organizationId: optional(id()),
  password,
})
export type AccountBody = z.input<typeof AccountBody>
