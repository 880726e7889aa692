/** The settings of a client, and their validation. */
import type { Agent as HttpAgent } from 'node:http'
import type { Agent as HttpsAgent } from 'node:https'
import type { AxiosProxyConfig } from 'axios'
import * as z from 'zod'
import { type Clock, systemClock } from '../clock.ts'
import { rule } from '../contract/primitives.ts'
import { HostProfile, type ProfileInput } from '../profile/host-profile.ts'
import { profileOf } from '../profile/parse-profile.ts'
import { whole } from '../profile/values.ts'
import { readSettings } from '../settings.ts'
import { hostAddress } from './base-url.ts'
import type { RequestFacts, ResponseFacts } from './exchange/facts.ts'

/** Which host a client calls, with which key, and how. */
export interface ClientOptions {
  /** The host, for example `https://sandbox.example.org`; a path in front of `/api/v1` is kept. */
  baseUrl: string
  /** Sent as `x-api-key`, or in the header that the profile names, and nowhere else. */
  apiKey: string
  /** How the host speaks: the header of its key, its base path, its lists. Optional; our own service by default. */
  profile?: ProfileInput
  /** Milliseconds that a request may take, its answer included. Optional; 30,000 by default. Each repeat has as long. */
  timeoutMs?: number
  /** The agent for `http://` URLs, in place of that of Node.js: for connections of your own. */
  httpAgent?: HttpAgent
  /** The agent for `https://` URLs, in place of that of Node.js: for certificates or connections of your own. */
  httpsAgent?: HttpsAgent
  /** A proxy; that of the environment's variables when omitted, none when false. */
  proxy?: AxiosProxyConfig | false
  /** Sent as `User-Agent`, so that the host can tell its callers apart. Optional; `Countersign` by default. */
  userAgent?: string
  /**
   * How often a GET is repeated, 0 to 10, when no answer came or the host was busy (5xx, 429). Optional; 0 by default. The pauses
   * grow from a second, and are as long as `Retry-After` asks; when it asks for more than a minute, the call fails at once.
   * A POST, PATCH or DELETE is never repeated.
   */
  retries?: number
  /** Called before each request. What it throws is dropped. */
  onRequest?: (facts: RequestFacts) => unknown
  /** Called after each request, answered or not. What it throws is dropped. */
  onResponse?: (facts: ResponseFacts) => unknown
  /** Times the pauses between repeats and the durations that `onResponse` is told. */
  clock?: Clock
  /** Returns numbers from 0 to 1. */
  random?: () => number
}

/** Milliseconds that a request may take when the caller sets no limit. */
const TIMEOUT_MS = 30_000
/** The longest time of a timer of Node.js. */
const LONGEST_TIMEOUT_MS = 2_147_483_647
const MOST_RETRIES = 10

const BASE_URL = 'an https:// or http:// URL, without a query or a fragment'
const IN_HEADER = 'text of visible ASCII characters, without blanks or line breaks at its ends'
const PROXY = 'false, or an object with host and port'

const isBaseUrl = (text: string) => /^https?:\/\/[^?#\s]+$/i.test(text) && URL.canParse(text)
const headerText = () => z.string(rule(IN_HEADER)).regex(/^[!-~]([ -~]*[!-~])?$/, IN_HEADER)
/** Node.js itself makes the same check of an agent. */
const isAgent = (value: unknown) => typeof (value as { addRequest?: unknown } | null)?.addRequest === 'function'
const agent = <A>(module: string) => z.custom<A>(isAgent, `an Agent of ${module}`)
const listener = <F extends (facts: never) => unknown>() =>
  z.custom<F>((value) => typeof value === 'function', 'a function')
const timeout = () => whole(1, LONGEST_TIMEOUT_MS)

const ProxyAddress = z.strictObject({
  host: z.string().min(1),
  port: z.int(),
  protocol: z.string().optional(),
  auth: z.object({ username: z.string(), password: z.string() }).optional(),
})
const isProxy = (value: unknown) => value === false || ProxyAddress.safeParse(value).success
const isClock = (value: unknown) => typeof (value as Clock | null)?.sleep === 'function'

export const ClientSettings = z.strictObject(
  {
    baseUrl: z.string(rule(BASE_URL)).refine(isBaseUrl, BASE_URL).transform(hostAddress),
    apiKey: headerText(),
    profile: HostProfile.optional().transform((profile) => profileOf(profile)),
    timeoutMs: timeout().default(TIMEOUT_MS),
    httpAgent: agent<HttpAgent>('node:http').optional(),
    httpsAgent: agent<HttpsAgent>('node:https').optional(),
    proxy: z.custom<AxiosProxyConfig | false>(isProxy, PROXY).optional(),
    userAgent: headerText().default('Countersign'),
    retries: whole(0, MOST_RETRIES).default(0),
    onRequest: listener<(facts: RequestFacts) => unknown>().optional(),
    onResponse: listener<(facts: ResponseFacts) => unknown>().optional(),
    clock: z.custom<Clock>(isClock, 'a Clock').default(systemClock),
    random: z.custom<() => number>((value) => typeof value === 'function', 'a function').default(() => Math.random),
  } satisfies { [K in keyof Required<ClientOptions>]: z.ZodType },
  'an object with baseUrl and apiKey',
)
/** The settings of a client, complete. */
export type ClientSettings = z.output<typeof ClientSettings>

const CallSettings = z.object({ timeoutMs: timeout() })

/** @throws SettingsError that names everything wrong */
export const clientSettings = (given: ClientOptions): ClientSettings => readSettings(ClientSettings, given, 'client')

/** Returns the time limit of a call, in milliseconds. @throws SettingsError when the caller's own is none */
export const callTimeout = (own: number | undefined, { timeoutMs }: ClientSettings): number =>
  own === undefined ? timeoutMs : readSettings(CallSettings, { timeoutMs: own }, 'call').timeoutMs
