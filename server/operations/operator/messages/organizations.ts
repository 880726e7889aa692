/** Organizations as the operator's interface shows and takes them. */
import * as z from 'zod'
import { docs } from '../../../../lib/contract/docs.ts'
import { Address, Npi, optional, rule, text } from '../../../../lib/contract/primitives.ts'
import { documentRules } from '../../../../lib/pdf/plain/document-rules.ts'
import { treatments } from '../../../../lib/pdf/prepare/active-content.ts'
import { isTimeZone } from '../../../../lib/time-zone.ts'
import { signatureRules } from '../../../domain/task/signature-place.ts'
import { ListedKey } from './keys.ts'

const aTimeZone = 'the name of a time zone, such as America/Chicago'
const TimeZone = z.string(rule(aTimeZone)).max(64, aTimeZone).refine(isTimeZone, aTimeZone)

const Treatment = z.enum(treatments, rule(`one of ${treatments.join(', ')}`))

export const Organization = z
  .object({
    id: z.int(),
    name: z.string(),
    npi: z.string().nullable(),
    addresses: z.array(Address),
    /** Whether the organization may send documents. */
    ingestionEnabled: z.boolean(),
    isActive: z.boolean().register(docs, {
      title: 'Active',
      description: 'While it is false, keys of the organization are refused, and no task is routed to it.',
      examples: [true],
    }),
    /** The treatment of active content in the documents that it sends. */
    activeContent: z.object({ javaScript: Treatment, openAction: Treatment, embeddedFiles: Treatment }),
    coversTokens: z.boolean().register(docs, {
      title: 'Covers tokens',
      description: 'Whether the text of tokens is covered when a document that it has sent is signed.',
      examples: [true],
    }),
    signatureRule: z.enum(signatureRules).register(docs, {
      title: 'Signature rule',
      description:
        'What becomes of documents that the organization sends without a signature field: with `required` they fail, with `atEnd` the signature goes onto the page added at the end, with `notNeeded` none is asked for.',
      examples: ['atEnd'],
    }),
    allowsDelegation: z.boolean().register(docs, {
      title: 'Allows delegation',
      description:
        'Whether its signers may let a colleague of the organization sign for them for a time. When it becomes false, what they have agreed on ends.',
      examples: [false],
    }),
    timeZone: z
      .string()
      .nullable()
      .register(docs, {
        title: 'Time zone',
        description:
          'The IANA name of the time zone in which dates in what the organization sends are judged: birth dates and certification windows. When it is null, they are judged in the time zone of the service.',
        examples: ['America/Chicago'],
      }),
    documents: z.enum(documentRules).register(docs, {
      title: 'Documents',
      description:
        'What becomes of documents that the organization sends. A plain document is one that every viewer shows alike. With `auto` the pages of other documents are converted to pictures, with `draw` those of every document, and with `refuse` a document that is not plain is refused.',
      examples: ['auto'],
    }),
  })
  .register(docs, {
    id: 'Organization',
    title: 'Organization',
    description: 'A sender with keys, or a practice that signers belong to.',
    examples: [
      {
        id: 4,
        name: 'Willow Creek Home Health',
        npi: null,
        addresses: [],
        ingestionEnabled: true,
        isActive: true,
        activeContent: { javaScript: 'strip', openAction: 'strip', embeddedFiles: 'strip' },
        coversTokens: true,
        signatureRule: 'atEnd',
        allowsDelegation: false,
        timeZone: 'America/Chicago',
        documents: 'auto',
      },
    ],
  })
export type Organization = z.infer<typeof Organization>

/** An organization with what belongs to it. */
export const OrganizationFile = z.object({
  organization: Organization,
  keys: z.array(ListedKey),
  /**
   * Whether the caller is an operator, who alone changes what orders are routed by, who may send, and what may stay in a
   * document. Keys, and having active content stripped or refused, are the administrator's too.
   */
  mayChange: z.boolean(),
})
export type OrganizationFile = z.infer<typeof OrganizationFile>

const treatment = Treatment.optional()

export const OrganizationBody = z.object({
  name: text(200),
  npi: optional(Npi),
  addresses: z.array(Address, rule('an array')).max(20, 'at most 20 addresses'),
  ingestionEnabled: z.boolean(rule('true or false')),
  activeContent: z
    .object({ javaScript: treatment, openAction: treatment, embeddedFiles: treatment }, rule('an object'))
    .refine((policy) => Object.keys(policy).length > 0, 'at least one of javaScript, openAction, embeddedFiles')
    .optional(),
  coversTokens: z.boolean(rule('true or false')).optional(),
  signatureRule: z.enum(signatureRules, rule(`one of ${signatureRules.join(', ')}`)).optional(),
  allowsDelegation: z.boolean(rule('true or false')).optional(),
  timeZone: optional(TimeZone),
  documents: z.enum(documentRules, rule(`one of ${documentRules.join(', ')}`)).optional(),
})
export type OrganizationBody = z.input<typeof OrganizationBody>

export const ChangeBody = OrganizationBody.omit({ name: true })
  .extend({ isActive: z.boolean(rule('true or false')) })
  .partial()
export type ChangeBody = z.input<typeof ChangeBody>
