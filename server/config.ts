/** The settings of the service, from the command line, the environment or a caller in the same process. */
import * as z from 'zod'
import { HostProfile } from '../lib/profile/host-profile.ts'
import { profileOf } from '../lib/profile/parse-profile.ts'
import { BODY_MEMORY_MIB, STORE_CONNECTIONS } from './choices.ts'
import { parseRange } from './domain/address.ts'
import { bucketIn } from './domain/bucket-place.ts'
import { bareHost, isLoopbackHost, targetPolicy } from './domain/delivery/target.ts'
import { REQUIRED_OF } from './domain/second-factor.ts'
import { isMailServer } from './domain/settings/mail-server.ts'
import { isAuthority, isHeader, isPem, wrongTimestampSettings } from './domain/settings/timestamp-settings.ts'
import { bucketIsWhole, mailIsWhole, signOnIsWhole } from './domain/settings/whole-settings.ts'
import { STAFF_DOCUMENTS } from './domain/staff-documents.ts'
import { isPlace, PLACES } from './domain/store-place.ts'
import { PATIENTS_IN_LISTS } from './domain/task/patient-label.ts'
import { TIMESTAMP_RULES } from './domain/timestamp.ts'
import { UNSIGNED_PDF } from './domain/unsigned-pdf.ts'

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

export const Settings = z
  .object({
    /** Where to listen; 0 takes a free port. */
    port: whole(0, 65_535).default(8090),
    /** The address to listen at; anything but this machine belongs behind a proxy that terminates TLS. */
    host: z.string().min(1).default('127.0.0.1'),
    /** A folder, `:memory:`, or a postgres:// URL. */
    data: z.string().refine(isPlace, PLACES).default('countersign-data'),
    /** A bucket for documents, `s3://BUCKET/PREFIX`; all of them are kept in the database when left out. */
    documents: z.string().refine(bucketIn, 's3://BUCKET or s3://BUCKET/PREFIX').optional(),
    /** The server of the bucket. */
    documentsEndpoint: z
      .string()
      .refine(isOrigin, 'an https:// URL without a path; http:// on this machine alone')
      .optional(),
    /** As requests to the server of the bucket are signed. */
    documentsRegion: z
      .string()
      .regex(/^[\w-]{1,40}$/, 'letters, digits and hyphens')
      .default('us-east-1'),
    /** The id of the access key for the bucket. */
    documentsKeyId: z
      .string()
      .regex(/^[\w.+=@-]{1,128}$/, 'the id of an access key')
      .optional(),
    /** The secret of the access key. */
    documentsSecret: z.string().min(1).optional(),
    /** PEM of those that vouch for the server of the bucket, besides those that Node.js trusts. */
    documentsCa: z.string().refine(isPem, 'certificates as PEM').optional(),
    /** Where new documents are put when there is a bucket; the others are found where they are. */
    newDocuments: z.enum(['bucket', 'database'], 'bucket or database').default('bucket'),
    /** Connections to PostgreSQL at most. */
    storeConnections: whole(1, 1_000).default(STORE_CONNECTIONS),
    /** Test keys, scripted signers, and the control plane under /sandbox/v1. */
    sandbox: z.boolean().default(false),
    /** Fills an empty store with the demo’s organizations, signers, document types, templates and keys. */
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
    /** Who must add a code to the password: nobody, staff (operators and administrators), or everybody. */
    secondFactor: z.enum(REQUIRED_OF, `one of ${REQUIRED_OF.join(', ')}`).default('nobody'),
    /** What signers may do with the PDF of a document before it is signed, besides looking at it in the inbox. */
    unsignedPdf: z.enum(UNSIGNED_PDF, `one of ${UNSIGNED_PDF.join(', ')}`).default('off'),
    /** How lists of the console show patients. */
    patientsInLists: z.enum(PATIENTS_IN_LISTS, `one of ${PATIENTS_IN_LISTS.join(', ')}`).default('initials'),
    /** Which PDFs operators and administrators may open in the console. */
    staffDocuments: z.enum(STAFF_DOCUMENTS, `one of ${STAFF_DOCUMENTS.join(', ')}`).default('none'),
    /** 32 bytes as Base64 or hexadecimal digits; without it a sandbox keeps one beside its data. */
    masterKey: z.string().optional(),
    /** Keys that stored values may still be sealed with, comma-separated. */
    oldMasterKeys: z.string().optional(),
    /** A P12 file whose key seals the documents; without it the service makes its own, once. */
    sealP12: z.string().min(1).optional(),
    /** The password of the P12 file. */
    sealPassword: z.string().optional(),
    /** The authority that gives a timestamp to each seal, by RFC 3161, with the user where it asks for one; none when left out. */
    timestampUrl: z
      .string()
      .refine(isAuthority, 'an http:// or https:// URL without a password; with a user, https:// alone')
      .optional(),
    /** Whether a document is signed while the authority gives no timestamp. */
    timestampRule: z.enum(TIMESTAMP_RULES, `one of ${TIMESTAMP_RULES.join(', ')}`).default('required'),
    /** Seconds that a signature waits for the authority. */
    timestampTimeout: whole(1, 60).default(10),
    /** The password of the user at the authority. */
    timestampPassword: z.string().min(1).optional(),
    /** A header that the authority asks for, `Name: value`. */
    timestampHeader: z.string().refine(isHeader, 'one line: a name, a colon and a value').optional(),
    /** PEM of those that vouch for the authority; those that Node.js trusts when left out. */
    timestampCa: z.string().refine(isPem, 'certificates as PEM').optional(),
    /** Whether the certificate page of a signed document names the patient. */
    certificatePatient: z.enum(['shown', 'omitted'], 'shown or omitted').default('shown'),
    /** MiB of memory for documents that are being sent; what finds no room is 503. */
    bodyMemory: whole(1, 65_536).default(BODY_MEMORY_MIB),
    /** Decoded size of the largest document that is accepted, in bytes; that of the profile when left out. */
    maxAttachmentBytes: whole(1, 256 * 1024 * 1024).optional(),
    /** The host as which the service speaks; as the interface is worded when left out. */
    profile: HostProfile.optional().transform((profile) => profileOf(profile)),
    /** Where metrics are handed out, on a port of their own; nowhere when left out. */
    metricsPort: whole(0, 65_535).optional(),
    /** The address for metrics; anyone who can reach it can read them. */
    metricsHost: z.string().min(1).default('127.0.0.1'),
    /** Requests that each key may make in a minute; no limit when left out. */
    requestsPerMinute: whole(1, 1_000_000).optional(),
    /** Days after its last change for which a finished task keeps its document and patient; for good when left out. */
    retainDays: whole(1, 36_500).optional(),
    /** Callbacks that each receiver gets in a minute; no limit when left out. */
    callbacksPerMinute: whole(1, 1_000_000).optional(),
    /** Where people open the pages, as their browsers show it. */
    publicUrl: z.string().refine(isOrigin, 'an https:// URL without a path; http:// on this machine alone').optional(),
    /** The provider of single sign-on; none when left out. */
    oidcIssuer: z.string().refine(isIssuer, 'an https:// URL; http:// on this machine alone').optional(),
    /** The id under which the provider knows the service. */
    oidcClientId: z.string().min(1).optional(),
    /** The secret of the client at the provider. */
    oidcClientSecret: z.string().min(1).optional(),
    /** What is asked of the provider, separated by blanks. */
    oidcScopes: z
      .string()
      .refine((scopes) => scopes.split(' ').includes('openid'), 'scopes separated by blanks, openid among them')
      .default('openid email'),
    /** As the pages name it; the host of the provider when left out. */
    oidcName: z.string().trim().min(1).max(60).optional(),
    /** Takes every e-mail address that the provider gives for verified. */
    oidcTrustEmail: z.boolean().default(false),
    /** The mail server for notices to signers, with its user; no notices when left out. */
    smtpUrl: z
      .string()
      .refine(isMailServer, 'smtp://user@host:587 or smtps://user@host:465, without the password')
      .optional(),
    /** The password of the user at the mail server. */
    smtpPassword: z.string().min(1).optional(),
    /** Whom notices come from. */
    smtpFrom: z.email('an e-mail address').optional(),
    /** Whether a connection to smtp:// must be encrypted by STARTTLS before anything is sent. */
    smtpTls: z.enum(['required', 'off'], 'required or off').default('required'),
    /** PEM of the authorities that vouch for the mail server; those of Node.js when left out. */
    smtpCa: z.string().min(1).optional(),
    /** Whether notices name the organizations whose documents wait. */
    noticeSenders: z.boolean().default(false),
    /** Who may sign in with one: everybody, those who are not linked to an identity at the provider, or nobody. */
    passwords: z.enum(['on', 'unlinked', 'off'], 'on, unlinked or off').default('on'),
  })
  .strict()
  .superRefine(signOnIsWhole)
  .superRefine(mailIsWhole)
  .superRefine(bucketIsWhole)
  .superRefine((settings, { addIssue }) => {
    for (const [name, message] of wrongTimestampSettings(settings)) addIssue({ code: 'custom', path: [name], message })
  })

export type Settings = z.output<typeof Settings>
/** The settings of a service as they are given; each may be left out. */
export type ServiceSettings = z.input<typeof Settings>
