/** The settings of the service, from the command line, the environment or a caller in the same process. */
import * as z from 'zod'
import { MAX_ATTACHMENT_BYTES } from './choices.ts'
import { targetPolicy } from './domain/target.ts'

const port = z.coerce.number('port: a number from 0 to 65535').int().min(0, 'from 0').max(65_535, 'up to 65535')

export const Settings = z.object({
  /** 0 takes a free port. */
  port: port.default(8090),
  host: z.string().min(1).default('127.0.0.1'),
  /** A folder, `:memory:`, or a postgres:// URL. */
  data: z.string().min(1).default('countersign-data'),
  /** Test keys, scripted signers, and the control plane under /sandbox/v1. */
  sandbox: z.boolean().default(false),
  seed: z.enum(['demo'], 'seed: demo is the only one there is').optional(),
  /** Admits http:// receivers on this machine. */
  allowHttpWebhooks: z.boolean().default(false),
  /** Receivers in private networks that may be called: host names (`*.` for all below), addresses, CIDR ranges. */
  allowWebhookTargets: z
    .array(z.string())
    .refine(
      (entries) => targetPolicy(false, entries).wrong.length === 0,
      'a host name, an address or a CIDR range each',
    )
    .default([]),
  /** 32 bytes as Base64 or hexadecimal digits; else a sandbox keeps one beside its data. */
  masterKey: z.string().optional(),
  maxAttachmentBytes: z.coerce.number().int().positive().default(MAX_ATTACHMENT_BYTES),
})
export type Settings = z.output<typeof Settings>
export type ServiceSettings = z.input<typeof Settings>
