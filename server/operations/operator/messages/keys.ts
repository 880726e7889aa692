/** Keys of senders as the operator's interface shows and takes them. */
import * as z from 'zod'
import { docs } from '../../../../lib/contract/docs.ts'
import { optional, rule, text } from '../../../../lib/contract/primitives.ts'

/** A key as it may be shown: never the key itself. */
export const ListedKey = z.object({
  keyId: z.string(),
  organizationId: z.int(),
  personName: z
    .string()
    .nullable()
    .register(docs, {
      title: 'Person',
      description: 'The person of the organization whose key it is; null for keys that are older than this field.',
      examples: ['Ann Vale'],
    }),
  description: z.string(),
  last4: z.string(),
  mode: z.enum(['test', 'live']),
  createdAt: z.string(),
  expiresAt: z.string().nullable(),
  lastUsedAt: z.string().nullable(),
  revokedAt: z.string().nullable(),
  requests: z.array(z.object({ day: z.string(), count: z.int() })).register(docs, {
    title: 'Requests',
    description: 'How many requests it made on each of the last 14 days, in UTC, the oldest day first.',
    examples: [[{ day: '2026-03-02', count: 120 }]],
  }),
})
export type ListedKey = z.infer<typeof ListedKey>

export const EXPIRY = 'a time to come, such as 2027-01-01'

const toCome = z.union([z.iso.datetime({ offset: true }), z.iso.date()], rule(EXPIRY))

export const KeyBody = z.object({
  personName: text(100).register(docs, {
    title: 'Person',
    description: 'The person of the organization whose key it is. Another person gets a key of their own.',
    examples: ['Ann Vale'],
  }),
  description: optional(text(100)),
  /** A key without it never expires. */
  expiresAt: optional(toCome),
})
export type KeyBody = z.input<typeof KeyBody>

export const RotateBody = z.strictObject({
  until: toCome.register(docs, {
    title: 'Until',
    description: 'When the replaced key ends. Both keys are valid until then.',
    examples: ['2027-01-01T09:00:00Z'],
    type: 'string',
  }),
  /** Of the new key; without it the new key never expires. */
  expiresAt: optional(toCome),
})
export type RotateBody = z.input<typeof RotateBody>

/** The one time that a key is shown. */
export const MadeKey = z.object({
  key: z.string(),
  keyId: z.string(),
  mode: z.enum(['test', 'live']),
  expiresAt: z.string().nullable(),
})
export type MadeKey = z.infer<typeof MadeKey>
