/** The settings of the service, from the command line, the environment or a caller in the same process. */
import * as z from 'zod'
import { MAX_ATTACHMENT_BYTES, STORE_CONNECTIONS } from './choices.ts'
import { parseRange } from './domain/address.ts'
import { targetPolicy } from './domain/delivery/target.ts'

/** Coerced, because the command line gives numbers as text. */
const whole = (first: number, last: number) => {
  const right = `a whole number from ${first} to ${last}`
  return z.coerce.number(right).int(right).min(first, right).max(last, right)
}

export const Settings = z.object({
  /** 0 takes a free port. */
  port: whole(0, 65_535).default(8090),
  host: z.string().min(1).default('127.0.0.1'),
  /** A folder, `:memory:`, or a postgres:// URL. */
  data: z.string().min(1).default('countersign-data'),
  /** Connections to PostgreSQL at most. */
  storeConnections: whole(1, 1_000).default(STORE_CONNECTIONS),
  /** Test keys, scripted signers, and the control plane under /sandbox/v1. */
  sandbox: z.boolean().default(false),
  seed: z.enum(['demo'], 'demo is the only one there is').optional(),
  /** Admits http:// receivers on this machine. */
  allowHttpWebhooks: z.boolean().default(false),
  /** Receivers in private networks that may be called: host names (`*.` for all below), addresses or CIDR ranges. */
  allowWebhookTargets: z
    .array(z.string())
    .refine(
      (entries) => targetPolicy(false, entries).wrong.length === 0,
      'a host name, an address or a CIDR range each',
    )
    .default([]),
  /** Proxies in front of the service, as addresses or CIDR ranges: their X-Forwarded-For is believed. */
  trustedProxies: z
    .array(z.string())
    .refine((entries) => entries.every(parseRange), 'an address or a CIDR range each')
    .default([]),
  /** 32 bytes as Base64 or hexadecimal digits; without it a sandbox keeps one beside its data. */
  masterKey: z.string().optional(),
  /** Keys that stored values may still be sealed with, comma-separated. */
  oldMasterKeys: z.string().optional(),
  /** A P12 file whose key seals the documents; without it the service makes its own, once. */
  sealP12: z.string().min(1).optional(),
  sealPassword: z.string().optional(),
  maxAttachmentBytes: whole(1, 256 * 1024 * 1024).default(MAX_ATTACHMENT_BYTES),
  /** Where metrics are handed out, on a port of their own; nowhere when left out. */
  metricsPort: whole(0, 65_535).optional(),
  metricsHost: z.string().min(1).default('127.0.0.1'),
  /** Requests that each key may make in a minute; no limit when left out. */
  requestsPerMinute: whole(1, 1_000_000).optional(),
  /** Days after its last change for which a finished task keeps its document and patient; for good when left out. */
  retainDays: whole(1, 36_500).optional(),
  /** Callbacks that each receiver gets in a minute; no limit when left out. */
  callbacksPerMinute: whole(1, 1_000_000).optional(),
})
export type Settings = z.output<typeof Settings>
export type ServiceSettings = z.input<typeof Settings>
