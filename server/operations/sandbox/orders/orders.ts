/** The sample orders that a sandbox can send as a sender would: by HTTP, with a key of the organization. */
import * as z from 'zod'
import { optional, rule, upTo } from '../../../../lib/contract/primitives.ts'
import type { CreateTask } from '../../../../lib/contract/task/task.ts'
import { told } from '../../../../lib/profile/values.ts'

const oneOf = (names: readonly string[]) => rule(`one of ${names.join(', ')}`)

/** Patients of the samples. None of them exists. */
export const samplePatients = ['usual', 'umlaut', 'japanese', 'twin-brother', 'twin-sister', 'apostrophe'] as const
export type SamplePatient = (typeof samplePatients)[number]

export const sampleDocuments = ['order', 'three-pages', 'rotated', 'form', 'script', 'attachment', 'damaged'] as const
export type SampleDocument = (typeof sampleDocuments)[number]

export const samplePlacements = ['coordinates', 'tokens', 'phrase', 'template'] as const
export type SamplePlacement = (typeof samplePlacements)[number]

export const SampleOrder = z.strictObject(
  {
    patient: told(z.enum(samplePatients, oneOf(samplePatients)), 'Patient', 'The patient of the order.', 'usual'),
    document: told(z.enum(sampleDocuments, oneOf(sampleDocuments)), 'Document', 'The document to send.', 'order'),
    placement: told(
      z.enum(samplePlacements, oneOf(samplePlacements)),
      'Placement',
      'How the fields of the signer are placed.',
      'coordinates',
    ),
    signer: told(
      z.string(rule('an NPI of ten digits')).regex(/^\d{10}$/, 'an NPI of ten digits'),
      'Signer',
      'NPI of the signer; one that no signer has makes a task that fails.',
      '9999900035',
    ),
  },
  rule('an object with patient, document, placement and signer'),
)
export type SampleOrder = z.output<typeof SampleOrder>

/** An order with a document of the caller's own in place of a sample. Whether it can be signed is for the create to say. */
export const OwnOrder = SampleOrder.extend({
  pdf: told(
    optional(z.string(rule('a PDF as Base64'))),
    'PDF',
    'A PDF of your own as Base64, of up to 5 MB; `document` is then ignored. Optional.',
    null,
  ),
  phrase: told(
    optional(upTo(200)),
    'Phrase',
    'The text of the PDF next to which the signature is placed, for the placement `phrase`. Optional.',
    null,
  ),
})
export type OwnOrder = z.output<typeof OwnOrder>

/** How a sample order was answered. */
export const SentOrder = z.object({
  externalDocId: z.string(),
  /** Null when no task was made, or the answer was lost. */
  taskId: z.int().nullable(),
  /** Null when no answer came. */
  status: z.int().nullable(),
  errors: z.array(z.string()),
})
export type SentOrder = z.infer<typeof SentOrder>

/** A sample order, or one with a PDF and a phrase of the caller's own. */
export type OrderToSend = SampleOrder & Partial<Pick<OwnOrder, 'pdf' | 'phrase'>>

/** A request of a sender that is sent once more. */
export interface RequestAgain {
  method: string
  /** The path with its query. */
  url: string
  headers: Readonly<Record<string, string>>
  body: Buffer
  /** The id of the exchange that it is a replay of. */
  replayOf: number
}

export interface Orders {
  /** Returns the body of a create. */
  bodyOf(order: OrderToSend, at: Date): Promise<CreateTask>
  /** Sends it to this service as a sender would. Never repeats it, and never rejects. */
  send(order: OrderToSend, at: Date): Promise<SentOrder>
  /** Returns the ids of the tasks of a document. */
  find(externalDocId: string): Promise<number[]>
  /** Sends a request once more, with a key of the organization. Never rejects. The status is null when no answer came. */
  sendAgain(request: RequestAgain): Promise<{ status: number | null }>
}

/** Words for people. */
export const patientNames: Readonly<Record<SamplePatient, string>> = {
  usual: 'Alma Whitfield',
  umlaut: 'Jörg Müller',
  japanese: '山田 太郎',
  'twin-brother': 'John Smith, a twin',
  'twin-sister': 'Joan Smith, a twin',
  apostrophe: 'Zoë O’Brien-Nuñez',
}
export const documentNames: Readonly<Record<SampleDocument, string>> = {
  order: 'Physician order, one page',
  'three-pages': 'Plan of care, three pages',
  rotated: 'Scanned sideways (page rotated by 90°)',
  form: 'With form fields that are filled in',
  script: 'With JavaScript in it',
  attachment: 'With a file attached to it',
  damaged: 'Not a PDF: is refused',
}
export const placementNames: Readonly<Record<SamplePlacement, string>> = {
  coordinates: 'Coordinates',
  tokens: 'Tokens in the text',
  phrase: 'Next to a phrase',
  template: 'A template of the organization',
}
