/** The sample orders that a sandbox can send as a sender would: by HTTP, with a key of the organization. */
import * as z from 'zod'
import { rule } from '../../../../lib/contract/primitives.ts'
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

export interface Orders {
  /** Returns the body of a create. */
  bodyOf(order: SampleOrder, at: Date): Promise<CreateTask>
  /** Sends it to this service as a sender would. Never repeats it, and never rejects. */
  send(order: SampleOrder, at: Date): Promise<SentOrder>
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
