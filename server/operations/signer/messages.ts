/** The messages between the inbox's page and its server. The page imports their types and nothing else. */
import * as z from 'zod'
import { id, optional, rule, text, upTo } from '../../../lib/contract/primitives.ts'
import { Telecom } from '../../../lib/contract/task/patient.ts'
import { MAX_REASON } from '../../../lib/contract/task/status-reason.ts'
import { preparations } from '../../../lib/pdf/prepare/preparation.ts'
import { isTimeZone } from '../../../lib/time-zone.ts'
import { PICTURE_WIDTHS } from '../../choices.ts'
import { UNSIGNED_PDF } from '../../domain/unsigned-pdf.ts'
import { Field } from '../field.ts'

/** The facts that distinguish one patient from another. */
export const ShownPatient = z.object({
  name: z.string(),
  /** YYYY-MM-DD */
  birthDate: z.string(),
  sex: z.string(),
  /** Medical record number, null when the sender gave none. */
  mrn: z.string().nullable(),
})
export type ShownPatient = z.infer<typeof ShownPatient>

export const Shown = z.object({
  taskId: z.int(),
  patient: ShownPatient,
  documentType: z.string(),
  /** The id that its sender gave it. */
  externalDocId: z.string(),
  clinicalDate: z.string(),
  sender: z.string(),
})

export const Waiting = Shown.extend({
  /** ISO 8601, UTC. */
  arrivedAt: z.string(),
  isOverdue: z.boolean(),
  /** The signer whose document it is, where the caller signs for another person; null otherwise. */
  onBehalfOf: z.string().nullable(),
})
export type Waiting = z.infer<typeof Waiting>

export const Opened = Waiting.extend({
  /** The contact details of the patient that the sender gave. */
  telecoms: z.array(Telecom),
  diagnosisCode: z.string().nullable(),
  /** The template's label of the clinical date; null without one. */
  clinicalDateLabel: z.string().nullable(),
  /** The digest of the PDF; the page compares it with what it shows, and sends it back when the signer signs. */
  sha256: z.string(),
  /** The digest of the PDF as it was received, before it was prepared. */
  receivedSha256: z.string(),
  /** The changes made to the document before it is shown here. */
  preparations: z.array(z.enum(preparations)),
  fields: z.array(Field),
  /** Where the signature goes: into fields of the pages, onto the page that is added at the end, or nowhere. */
  signaturePlace: z.enum(['onPages', 'certificatePage', 'notAsked']),
  /** The text that the signer agrees to by signing. */
  consent: z.object({ version: z.string(), text: z.string() }),
  signingName: z.string(),
  /** The initials of the signer. */
  initials: z.string(),
  organization: z.string().nullable(),
  /** Whether the signer may have the PDF before it is signed, in addition to seeing it here. */
  unsignedPdf: z.enum(UNSIGNED_PDF),
})
export type Opened = z.infer<typeof Opened>

export const Past = Shown.extend({
  outcome: z.enum(['Completed', 'Rejected']),
  at: z.string(),
  /** The reason of a rejection; null otherwise. */
  reason: z.string().nullable(),
  /** The signer for whom the caller did it; null otherwise. */
  onBehalfOf: z.string().nullable(),
  /** Who did it for the caller; null otherwise. */
  doneBy: z.string().nullable(),
  /** Who signed or rejected it, for whom, as the operator's task page says it. */
  sentence: z.string(),
})
export type Past = z.infer<typeof Past>

const UTC = 'a time in UTC, such as 2026-01-15T06:00:00Z'

export const PastSearch = z.object({
  /** Words that a document has all of; empty for any. */
  search: upTo(200),
  /** Only what was signed or rejected then or later; ISO 8601, UTC. */
  from: optional(z.iso.datetime(rule(UTC))),
  /** Only what was signed or rejected before; ISO 8601, UTC. */
  until: optional(z.iso.datetime(rule(UTC))),
  /** Continues after the document of this task. */
  before: optional(id()),
})

export const PastFound = z.object({
  /** The newest first. */
  documents: z.array(Past),
  /** Where the search continues: `before` of the next call. Null when there is nothing left to look at. */
  goesOnBefore: z.int().nullable(),
})
export type PastFound = z.infer<typeof PastFound>

/** The outcome of a document. */
export const Outcome = z.object({
  state: z.enum(['waiting', 'signed', 'rejected', 'withdrawn', 'cancelled']),
  /** Since when; ISO 8601, UTC. */
  at: z.string(),
  /** Whether the caller signed or rejected it, and not another person in the caller's place. */
  byYou: z.boolean(),
  /** Name of the other signer who did it, where the caller signs for someone or has a delegate; null otherwise. */
  by: z.string().nullable(),
  /** The reason of a rejection, a withdrawal or a cancellation; null without one. */
  reason: z.string().nullable(),
})
export type Outcome = z.infer<typeof Outcome>

const base64 = z
  .string(rule('a PNG image as Base64'))
  .regex(/^[A-Za-z0-9+/]+={0,2}$/, 'a PNG image as Base64')
  .transform((text) => Buffer.from(text, 'base64'))

const timeZone = 'the name of a time zone, such as America/Chicago'

const sha256 = (of: string) => {
  const what = `the SHA-256 of the PDF ${of}`
  return z.string(rule(what)).regex(/^[0-9a-f]{64}$/, what)
}

const filledIn = {
  sha256: sha256('shown'),
  values: z.record(
    z.string().regex(/^\d{1,4}$/, 'the index of a field, from 0'),
    z.union([z.string(), z.boolean()], rule('text or true or false')),
    rule('an object'),
  ),
  /** A drawn signature, or null: the name is typed. */
  drawn: base64.nullable(),
  /** The time zone of the browser. */
  timeZone: z.string(rule(timeZone)).refine(isTimeZone, timeZone),
}

export const PreviewBody = z.object({
  ...filledIn,
  /** Whether the signature has been given. */
  isSigned: z.boolean(rule('true or false')),
})
export type PreviewBody = z.input<typeof PreviewBody>

export const Preview = z.object({
  /** The digest of the document with the ink on it. */
  sha256: z.string(),
  /** Indexes of the fields whose texts are too long to be read in their boxes. */
  crowded: z.array(z.number()),
})
export type Preview = z.infer<typeof Preview>

const box = z.object({ left: z.number(), top: z.number(), right: z.number(), bottom: z.number() })

/** The pages of a document, from the first, in points as they are shown. */
export const Pages = z.object({
  /** The digest of the PDF whose pages these are. */
  sha256: z.string(),
  pages: z.array(z.object({ width: z.number(), height: z.number() })),
  /** The widths in which pages are drawn, in pixels, the smallest first. */
  widths: z.array(z.int()),
  /** Whether the document was converted to pictures when it was received, so that no reliable text of its pages exists. */
  isDrawn: z.boolean(),
})
export type Pages = z.infer<typeof Pages>

export const ShownPage = z.object({
  type: z.enum(['image/png', 'image/jpeg']),
  /** Base64. */
  picture: z.string(),
  /** The text of the page, line by line, with the place of each in points; empty where it is a picture. */
  lines: z.array(z.object({ text: z.string(), box })),
  /** Whether the text of the page is what shows on it; where it is not known to be, there are no lines. */
  isTextReliable: z.boolean(),
})
export type ShownPage = z.infer<typeof ShownPage>

/** The width of a page's picture, in pixels. */
export const PictureQuery = z.strictObject({
  width: z
    .enum(PICTURE_WIDTHS.map(String), `one of ${PICTURE_WIDTHS.join(', ')}`)
    .default('1000')
    .transform(Number),
})

export const PreviewPageBody = PreviewBody.extend({
  /** The digest of the stamped document as the preview gave it; the page of a document with other stamps is refused. */
  inkedSha256: sha256('previewed'),
})
export type PreviewPageBody = z.input<typeof PreviewPageBody>

export const SignBody = z.object({
  ...filledIn,
  /** The digest of the stamped document as last previewed; a document with other stamps is refused. */
  inkedSha256: sha256('previewed').optional(),
  /** Version of the consent that the page showed; omitted where it showed none. */
  consent: z.string(rule('the version of a consent')).optional(),
  /** Whether the drawn signature is kept for the next time. */
  keep: z.boolean(rule('true or false')),
})
export type SignBody = z.input<typeof SignBody>

export const RejectBody = z.object({
  reason: text(MAX_REASON),
})
export type RejectBody = z.input<typeof RejectBody>
