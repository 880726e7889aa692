/** The settings of a FHIR base: its address, what authorizes the calls, and their limits. */
import type { Agent } from 'node:https'
import type { AxiosProxyConfig } from 'axios'
import * as z from 'zod'
import { type Clock, systemClock } from '../clock.ts'
import { rule } from '../contract/primitives.ts'
import { readSettings } from '../settings.ts'

const address = z
  .string(rule('text'))
  .transform((text) => text.trim().replace(/\/+$/, ''))
  .refine(isAddress, 'an http or https URL without user name, query and fragment')

const whole = (least: number, most: number) => {
  const right = `a whole number from ${least} to ${most}`
  return z.int(rule(right)).min(least, right).max(most, right)
}

/** SMART Backend Services: a client that signs for itself. */
const Backend = z.strictObject({
  clientId: z.string().min(1),
  /** The private key, as PEM (PKCS #8) or as a JSON Web Key: RSA, or EC on P-384. */
  privateKey: z.string().min(1),
  /** The server's id of the public key; optional, by default that of the JSON Web Key. */
  keyId: z.string().min(1).optional(),
  /** The scopes, for example `system/DocumentReference.read system/Patient.read`. */
  scope: z.string().min(1),
  /** Where tokens are to be had; the server's `.well-known/smart-configuration` says when omitted. */
  tokenUrl: address.optional(),
})
export type Backend = z.infer<typeof Backend>

const Settings = z.strictObject({
  baseUrl: address,
  /** A token that is sent as it is. */
  bearer: z.string().min(1).optional(),
  backend: Backend.optional(),
  /** Hosts, with their port where it is unusual, that documents are read from over https, without a token. */
  documentHosts: z.array(z.string().toLowerCase()).default([]),
  timeoutMs: whole(1, 600_000).default(30_000),
  /** The largest answer. */
  maxBytes: whole(1, 268_435_456).default(67_108_864),
  httpsAgent: z.custom<Agent>().optional(),
  proxy: z.custom<AxiosProxyConfig | false>().optional(),
  clock: z.custom<Clock>().default(systemClock),
  newId: z.custom<() => string>().default(() => () => crypto.randomUUID()),
})
export type FhirSettings = z.output<typeof Settings>
export type FhirSettingsInput = z.input<typeof Settings>

/** @throws SettingsError that names everything wrong, without values */
export const readFhirSettings = (given: unknown): FhirSettings => readSettings(Settings, given, 'FHIR base')

function isAddress(text: string): boolean {
  const url = URL.parse(text)
  return /^https?:$/.test(url?.protocol ?? '') && url?.username === '' && url.search === '' && !text.includes('#')
}
