/**
 * How a host speaks: the names, habits and limits in which it differs from the interface as docs/interface.md words it. Plain
 * JSON; every value may be omitted, and then is that of our own service.
 */
import * as z from 'zod'
import { rule } from '../contract/primitives.ts'
import { MAX_REASON } from '../contract/task/status-reason.ts'
import { headerName, headerPrefix, signingValues } from './callback-values.ts'
import { ListHabits } from './list-habits.ts'
import { PROFILE } from './profile-error.ts'
import { part, ruled, told, whole } from './values.ts'

const PLAIN_NAME = 'text of 1 to 60 characters'
const TOKEN = '1 to 20 letters and digits'
const BASE_PATH = 'empty, or a path such as /partner, without a slash at its end'
/** Decoded size of the largest attachment. choice: Attachment size */
const ATTACHMENT_BYTES = 25 * 1024 * 1024
const LARGEST_ATTACHMENT = 256 * 1024 * 1024

const level = (subject: string) =>
  told(
    z.enum(['error', 'warning', 'off'], rule('error, warning or off')).default('warning'),
    subject,
    `${subject}. error: nothing is sent; warning: it is sent, and the node warns; off: not looked at.`,
    'warning',
  )

export const HostProfile = z.strictObject(
  {
    name: told(
      z.string(rule(PLAIN_NAME)).regex(/\S/, PLAIN_NAME).max(60, PLAIN_NAME).default('Countersign'),
      'Name',
      'What people call the host.',
      'Acme',
    ),
    headerPrefix: told(
      ruled(headerPrefix),
      'Header prefix',
      'Before Signature, Timestamp, Event-Id and Event-Type in the headers of callbacks.',
      'X-Acme-',
    ),
    tokenPrefix: told(
      z
        .string(rule(TOKEN))
        .regex(/^[A-Za-z0-9]{1,20}$/, TOKEN)
        .default('SVC'),
      'Token prefix',
      'The first word of the tokens in documents: SVC in {SVC-signature-owner1}.',
      'ACME',
    ),
    apiKeyHeader: told(
      ruled({ ...headerName, otherwise: 'x-api-key' }),
      'Key header',
      'The header of the API key.',
      'X-Acme-Key',
    ),
    basePath: told(
      z
        .string(rule(BASE_PATH))
        .regex(/^(\/[\w.~-]+)*$/, BASE_PATH)
        .max(200, BASE_PATH)
        .default(''),
      'Base path',
      'Comes after the base URL and before /api/v1 and /health-check.',
      '/partner',
    ),
    /** How the host signs callbacks. */
    webhook: part({
      secretEncoding: told(
        ruled(signingValues.secretEncoding),
        'Secret encoding',
        'What the HMAC key is: the bytes that the Base64 secret decodes to, or its text.',
        'utf8',
      ),
      timestampUnit: told(
        ruled(signingValues.timestampUnit),
        'Timestamp unit',
        'Whether the timestamp header counts seconds or milliseconds.',
        'ms',
      ),
      toleranceSeconds: told(
        ruled(signingValues.toleranceSeconds),
        'Tolerance',
        'How far the timestamp of a callback may be from the clock of the receiver, either way.',
        300,
      ),
    }),
    /** How the host answers lists. */
    list: ListHabits,
    /** How the host reads the coordinates of Json annotations. */
    coordinates: part({
      origin: told(
        z.enum(['top-left', 'bottom-left'], rule('top-left or bottom-left')).default('top-left'),
        'Origin',
        'Where the coordinates of Json annotations begin, on the page as displayed.',
        'bottom-left',
      ),
      unit: told(z.literal('pt', rule('pt')).default('pt'), 'Unit', 'Points, 1/72 inch.', 'pt'),
    }),
    /** The largest values that the host takes. */
    limits: part({
      attachmentBytes: told(
        whole(1, LARGEST_ATTACHMENT).default(ATTACHMENT_BYTES),
        'Attachment',
        'Decoded size of the largest attachment, in bytes.',
        10_485_760,
      ),
      externalDocIdLength: told(
        whole(1, 4000).default(255),
        'externalDocId',
        'The longest externalDocId, in characters.',
        64,
      ),
      savedDocumentIdLength: told(
        whole(1, 4000).default(255),
        'externalSavedDocumentId',
        'The longest externalSavedDocumentId, in characters.',
        64,
      ),
      reasonLength: told(
        whole(1, 4000).default(MAX_REASON),
        'Reason',
        'The longest reason of a retract, in characters.',
        200,
      ),
    }),
    /** The statuses with which the host refuses. */
    refusals: part({
      wrongKey: told(
        z.union([z.literal(401), z.literal(403)], { error: () => '401 or 403' }).default(403),
        'Wrong key',
        'The status for a key that is not accepted. The client takes both.',
        401,
      ),
      unknownId: told(
        z.union([z.literal(400), z.literal(404)], { error: () => '400 or 404' }).default(400),
        'Unknown id',
        'The status for updates and retracts of what does not exist. The client takes both.',
        404,
      ),
    }),
    /** The checks that nodes make before they send. */
    checks: part({
      coordinates: level('Coordinates that are on no page with this origin'),
      lengths: level('Texts that are longer than our service takes'),
      organization: level('Forms of an organization’s NPI and addresses'),
    }),
  },
  rule(PROFILE.right),
)

/** A profile with every value. */
export type HostProfile = z.output<typeof HostProfile>
/** A profile as it is written: every value may be omitted. */
export type ProfileInput = z.input<typeof HostProfile>
export type CheckLevel = HostProfile['checks']['lengths']
