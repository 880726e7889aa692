/**
 * The settings of the service, in one table: from it come the flags, the variables, the defaults, the checks, `--help`, and the table of
 * docs/guides/settings.md.
 */
import * as z from 'zod'
import { HostProfile } from '../lib/profile/host-profile.ts'
import { profileOf } from '../lib/profile/parse-profile.ts'
import { BODY_MEMORY_MIB, STORE_CONNECTIONS } from './choices.ts'
import { parseRange } from './domain/address.ts'
import { bucketIn } from './domain/bucket-place.ts'
import { areTargets, bareHost, isLoopbackHost } from './domain/delivery/target.ts'
import { EXTERNAL_KEY_FORM, externalKeyIn } from './domain/external-key.ts'
import { isMasterKey, MASTER_KEY_FORM, separated } from './domain/master-key-form.ts'
import { REQUIRED_OF } from './domain/second-factor.ts'
import { isMailServer } from './domain/settings/mail-server.ts'
import { isProxy } from './domain/settings/proxy.ts'
import { isAuthority, isHeader, isPem } from './domain/settings/timestamp-settings.ts'
import { STAFF_DOCUMENTS } from './domain/staff-documents.ts'
import { isPlace, PLACES } from './domain/store-place.ts'
import { PATIENTS_IN_LISTS } from './domain/task/patient-label.ts'
import { TIMESTAMP_RULES } from './domain/timestamp.ts'
import { UNSIGNED_PDF } from './domain/unsigned-pdf.ts'
import { SeedSetting } from './operations/sandbox/seed/seed.ts'

/** https, or http on this machine; nothing after the host. */
const isOrigin = (text: string) =>
  URL.canParse(text) && isSafe(new URL(text)) && new URL(text).href === `${new URL(text).origin}/`
const isIssuer = (text: string) => URL.canParse(text) && isSafe(new URL(text)) && !/[?#]/.test(text)
const isSafe = (url: URL) =>
  (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopbackHost(bareHost(url)))) && url.username === ''

/** Coerced, because the command line gives numbers as text. */
const whole = (first: number, last: number) => {
  const right = `a whole number from ${first} to ${last}`
  return z.coerce.number<number>(right).int(right).min(first, right).max(last, right)
}

/** One setting: its name is that of its flag and of its variable, too. */
export interface Setting {
  schema: z.ZodType
  /** Says what it is for, in `--help`, in the table of the guide and in editors. */
  summary: string
  /** The value in `--help`; a setting without one is a switch. */
  value?: string
  /** Says what a setting without a default means while it is not given. */
  absent?: string
  /**
   * `list`: several values, separated by commas. `secret`: never on the command line, and never shown; its flag names a file. `file`: the
   * content of a file, which is given by its path. `path`: a file that is opened by its path.
   */
  kind?: 'list' | 'secret' | 'file' | 'path'
}

/** All settings of a service, in the order in which they are shown. */
export const SETTINGS = {
  port: {
    schema: whole(0, 65_535).default(8090),
    value: 'NUMBER',
    summary: 'port to listen on; 0 takes a free port',
  },
  host: {
    schema: z.string().min(1).default('127.0.0.1'),
    value: 'ADDRESS',
    summary: 'address to listen on; behind a proxy that terminates TLS when it is not this machine',
  },
  publicUrl: {
    schema: z.string().refine(isOrigin, 'an https:// URL without a path; http:// on this machine alone').optional(),
    value: 'URL',
    summary: 'where people open the pages, as their browsers show it',
  },
  trustProxy: {
    schema: z
      .array(z.string())
      .refine((entries) => entries.every(parseRange), 'an address or a CIDR range each')
      .default([]),
    kind: 'list',
    value: 'ADDRESS|CIDR',
    summary: 'a proxy in front of the service, whose X-Forwarded-For is believed',
  },
  rateLimit: {
    schema: whole(1, 1_000_000).optional(),
    value: 'NUMBER',
    summary: 'requests that each key may make per minute, at all instances together',
    absent: 'no limit',
  },
  bodyMemory: {
    schema: whole(1, 65_536).default(BODY_MEMORY_MIB),
    value: 'MIB',
    summary: 'memory for documents that are being sent; a document that does not fit is answered with 503',
  },
  maxAttachmentBytes: {
    schema: whole(1, 256 * 1024 * 1024).optional(),
    value: 'NUMBER',
    summary: 'decoded size of the largest document that is accepted, in bytes',
    absent: 'that of the profile',
  },
  sandbox: {
    schema: z.boolean().default(false),
    summary: 'test keys, scripted signers, and the control plane under /sandbox/v1',
  },
  seed: {
    schema: SeedSetting.optional(),
    value: 'demo|FILE',
    summary:
      'fill an empty store with the organizations, signers, document types and templates of the demo, or of a JSON file, and make their keys',
    absent: 'nothing',
  },
  profile: {
    schema: HostProfile.optional().transform((profile) => profileOf(profile)),
    kind: 'file',
    value: 'FILE',
    summary: 'speak as the host of this profile, a JSON file',
    absent: 'as the interface is worded',
  },

  data: {
    schema: z.string().refine(isPlace, PLACES).default('countersign-data'),
    value: 'DIR|:memory:|postgres://…',
    summary: 'where tasks and documents are kept',
  },
  masterKey: {
    schema: z.string().refine(isMasterKey, MASTER_KEY_FORM).optional(),
    kind: 'secret',
    summary: 'key that encrypts what is stored, 32 random bytes as Base64; required without --sandbox',
    absent: 'made by a sandbox',
  },
  oldMasterKeys: {
    schema: z
      .string()
      .refine((keys) => separated(keys).every(isMasterKey), `${MASTER_KEY_FORM} each, separated by commas`)
      .optional(),
    kind: 'secret',
    summary: 'earlier master keys, separated by commas; what they encrypted stays readable',
  },
  storeConnections: {
    schema: whole(1, 1_000).default(STORE_CONNECTIONS),
    value: 'NUMBER',
    summary: 'the largest number of connections to PostgreSQL',
  },
  retain: {
    schema: whole(1, 36_500).optional(),
    value: 'DAYS',
    summary: 'remove the document and the patient of a task this many days after it finished',
    absent: 'never',
  },
  documents: {
    schema: z.string().refine(bucketIn, 's3://BUCKET or s3://BUCKET/PREFIX').optional(),
    value: 's3://BUCKET/PREFIX',
    summary: 'object storage for documents',
    absent: 'none, they are kept with the rest',
  },
  documentsEndpoint: {
    schema: z.string().refine(isOrigin, 'an https:// URL without a path; http:// on this machine alone').optional(),
    value: 'URL',
    summary: 'server of the object storage, which speaks as Amazon S3 does',
  },
  documentsRegion: {
    schema: z
      .string()
      .regex(/^[\w-]{1,40}$/, 'letters, digits and hyphens')
      .default('us-east-1'),
    value: 'NAME',
    summary: 'region that requests to it are signed for',
  },
  documentsKeyId: {
    schema: z
      .string()
      .regex(/^[\w.+=@-]{1,128}$/, 'the id of an access key')
      .optional(),
    value: 'ID',
    summary: 'access key for the object storage',
  },
  documentsSecret: { schema: z.string().min(1).optional(), kind: 'secret', summary: 'secret of that access key' },
  documentsCa: {
    schema: z.string().refine(isPem, 'certificates as PEM').optional(),
    kind: 'file',
    value: 'FILE',
    summary: 'PEM of the authorities that vouch for the object storage',
    absent: 'those of Node.js',
  },
  newDocuments: {
    schema: z.enum(['bucket', 'database'], 'bucket or database').default('bucket'),
    value: 'bucket|database',
    summary: 'where new documents are put when there is an object storage',
  },

  secondFactor: {
    schema: z.enum(REQUIRED_OF, `one of ${REQUIRED_OF.join(', ')}`).default('nobody'),
    value: REQUIRED_OF.join('|'),
    summary: 'who must add a code to the password; staff are operators and administrators',
  },
  passwords: {
    schema: z.enum(['on', 'unlinked', 'off'], 'on, unlinked or off').default('on'),
    value: 'on|unlinked|off',
    summary: 'who may sign in with a password; unlinked: who has no identity at the provider',
  },
  unsignedPdf: {
    schema: z.enum(UNSIGNED_PDF, `one of ${UNSIGNED_PDF.join(', ')}`).default('off'),
    value: UNSIGNED_PDF.join('|'),
    summary: 'what signers may do with a PDF before it is signed, besides looking at it in the inbox',
  },
  patientsInLists: {
    schema: z.enum(PATIENTS_IN_LISTS, `one of ${PATIENTS_IN_LISTS.join(', ')}`).default('initials'),
    value: PATIENTS_IN_LISTS.join('|'),
    summary: 'how lists of the console show patients',
  },
  staffDocuments: {
    schema: z.enum(STAFF_DOCUMENTS, `one of ${STAFF_DOCUMENTS.join(', ')}`).default('none'),
    value: STAFF_DOCUMENTS.join('|'),
    summary: 'which PDFs operators and administrators may open in the console',
  },
  oidcIssuer: {
    schema: z.string().refine(isIssuer, 'an https:// URL; http:// on this machine alone').optional(),
    value: 'URL',
    summary: 'single sign-on through this provider of OpenID Connect',
  },
  oidcClientId: {
    schema: z.string().min(1).optional(),
    value: 'ID',
    summary: 'id under which the provider knows the service',
  },
  oidcClientSecret: {
    schema: z.string().min(1).optional(),
    kind: 'secret',
    summary: 'secret of the service at the provider',
  },
  oidcScopes: {
    schema: z
      .string()
      .refine((scopes) => scopes.split(' ').includes('openid'), 'scopes separated by blanks, openid among them')
      .default('openid email'),
    value: 'TEXT',
    summary: 'scopes that the provider is asked for, separated by blanks',
  },
  oidcName: {
    schema: z.string().trim().min(1).max(60).optional(),
    value: 'TEXT',
    summary: 'how the sign-in page names the provider',
    absent: 'its host',
  },
  oidcTrustEmail: {
    schema: z.boolean().default(false),
    summary: 'treat every e-mail address that the provider gives as verified',
  },

  sealP12: {
    schema: z.string().min(1).optional(),
    kind: 'path',
    value: 'FILE',
    summary: 'certificate and key that seal signed documents, as P12',
    absent: 'made by the service, once',
  },
  sealPassword: { schema: z.string().optional(), kind: 'secret', summary: 'password of the P12 file' },
  sealKey: {
    schema: z
      .string()
      .refine((text) => externalKeyIn(text) !== null, EXTERNAL_KEY_FORM)
      .optional(),
    value: 'URI',
    summary: 'key in a device (PKCS #11), AWS KMS or Google Cloud KMS that seals signed documents',
  },
  sealCertificate: {
    schema: z.string().refine(isPem, 'a certificate as PEM').optional(),
    kind: 'file',
    value: 'FILE',
    summary: 'PEM of the certificate of that key',
  },
  sealKeySecret: {
    schema: z.string().min(1).optional(),
    kind: 'secret',
    summary: 'PIN of the device, KEY-ID:SECRET of AWS, or JSON of the Google service account',
  },
  certificatePatient: {
    schema: z.enum(['shown', 'omitted'], 'shown or omitted').default('shown'),
    value: 'shown|omitted',
    summary: 'whether the certificate page of a signed document names the patient',
  },
  drawingDpi: {
    schema: whole(100, 300).default(200),
    value: 'DPI',
    summary: 'resolution of pages that are converted to pictures, in dots per inch',
  },
  timestampUrl: {
    schema: z
      .string()
      .refine(isAuthority, 'an http:// or https:// URL without a password; with a user, https:// alone')
      .optional(),
    value: 'URL',
    summary: 'authority that gives a timestamp to each seal, by RFC 3161',
  },
  timestampRule: {
    schema: z.enum(TIMESTAMP_RULES, `one of ${TIMESTAMP_RULES.join(', ')}`).default('required'),
    value: TIMESTAMP_RULES.join('|'),
    summary: 'whether a document is signed while the authority gives no timestamp',
  },
  timestampTimeout: {
    schema: whole(1, 60).default(10),
    value: 'SECONDS',
    summary: 'how long a signature waits for the authority',
  },
  timestampPassword: {
    schema: z.string().min(1).optional(),
    kind: 'secret',
    summary: 'password of the user in the URL of the authority',
  },
  timestampHeader: {
    schema: z.string().refine(isHeader, 'one line: a name, a colon and a value').optional(),
    kind: 'secret',
    summary: 'header that the authority asks for, "Name: value"',
  },
  timestampCa: {
    schema: z.string().refine(isPem, 'certificates as PEM').optional(),
    kind: 'file',
    value: 'FILE',
    summary: 'PEM of the authorities that vouch for the timestamp authority',
    absent: 'those of Node.js',
  },

  webhookRate: {
    schema: whole(1, 1_000_000).optional(),
    value: 'NUMBER',
    summary: 'callbacks that each receiver gets per minute from an instance',
    absent: 'no limit',
  },
  allowHttpWebhooks: {
    schema: z.boolean().default(false),
    summary: 'accept http:// receivers on this machine',
  },
  allowWebhookTarget: {
    schema: z
      .array(z.string())
      .refine((entries) => areTargets(entries), 'a host name, an address or a CIDR range each')
      .default([]),
    kind: 'list',
    value: 'HOST|ADDRESS|CIDR',
    summary: 'a receiver in a private network that may be called; *.example.org for all hosts below',
  },
  smtpUrl: {
    schema: z
      .string()
      .refine(isMailServer, 'smtp://user@host:587 or smtps://user@host:465, without the password')
      .optional(),
    value: 'URL',
    summary: 'mail server for notices to signers, smtp://user@host:587 or smtps://',
    absent: 'no notices',
  },
  smtpPassword: {
    schema: z.string().min(1).optional(),
    kind: 'secret',
    summary: 'password of the user at the mail server',
  },
  smtpFrom: {
    schema: z.email('an e-mail address').optional(),
    value: 'ADDRESS',
    summary: 'sender of the notices',
  },
  smtpTls: {
    schema: z.enum(['required', 'off'], 'required or off').default('required'),
    value: 'required|off',
    summary: 'whether a connection to smtp:// must be encrypted by STARTTLS before anything is sent',
  },
  smtpCa: {
    schema: z.string().min(1).optional(),
    kind: 'file',
    value: 'FILE',
    summary: 'PEM of the authorities that vouch for the mail server',
    absent: 'those of Node.js',
  },
  noticeSenders: {
    schema: z.boolean().default(false),
    summary: 'name the organizations whose documents wait in notices',
  },
  proxy: {
    schema: z
      .string()
      .refine(isProxy, 'http://user@host:3128 or https://, without the password and without a path')
      .optional(),
    value: 'URL',
    summary: 'proxy for everything that the service calls, by HTTP CONNECT',
    absent: 'none, all are called directly',
  },
  proxyPassword: { schema: z.string().min(1).optional(), kind: 'secret', summary: 'password of the user at the proxy' },
  proxyBypass: {
    schema: z
      .array(z.string())
      .refine((entries) => areTargets(entries), 'a host name, an address or a CIDR range each')
      .default([]),
    kind: 'list',
    value: 'HOST|ADDRESS|CIDR',
    summary: 'a host that is called directly; *.example.org for all hosts below. This machine always is',
  },
  proxyResolves: {
    schema: z.boolean().default(false),
    summary: 'let the proxy resolve the names of receivers; then only those of --allow-webhook-target are called',
  },

  metricsPort: {
    schema: whole(0, 65_535).optional(),
    value: 'NUMBER',
    summary: 'port on which metrics for Prometheus are served, under /metrics',
    absent: 'nowhere',
  },
  metricsHost: {
    schema: z.string().min(1).default('127.0.0.1'),
    value: 'ADDRESS',
    summary: 'address for the metrics; anyone who can reach it can read them',
  },
} as const satisfies Readonly<Record<string, Setting>>

export type SettingName = keyof typeof SETTINGS

/** The headings of the settings, by the first setting under each. */
export const SECTIONS: Readonly<Partial<Record<SettingName, string>>> = {
  port: 'The interface',
  data: 'What is stored',
  secondFactor: 'Signing in',
  sealP12: 'Seals',
  webhookRate: 'What the service calls',
  metricsPort: 'Metrics and log',
}

const schemas = Object.fromEntries(Object.entries(SETTINGS).map(([name, { schema }]) => [name, schema])) as {
  [Name in keyof typeof SETTINGS]: (typeof SETTINGS)[Name]['schema']
}

/** Each setting by itself; what they need of one another is in `settings.ts`. */
export const Settings = z.object(schemas).strict()

export type Settings = z.output<typeof Settings>
/** The settings of a service as they are given; each is optional. */
export type ServiceSettings = z.input<typeof Settings>
