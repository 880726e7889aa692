/** Templates as the operator's interface shows and takes them. */
import * as z from 'zod'
import { docs } from '../../../../lib/contract/docs.ts'
import { id, optional, rule, text, upTo } from '../../../../lib/contract/primitives.ts'
import { FieldType, MAX_ANNOTATIONS } from '../../../../lib/contract/task/document.ts'
import { MAX_FIELD_TEXT } from '../../../../lib/contract/task/field-kinds.ts'
import { signatureRules } from '../../../domain/task/signature-place.ts'
import { Field } from '../../field.ts'

const days = optional(z.int(rule('a whole number of days')).min(0, 'from 0').max(3660, 'up to 3660'))
const point = z.number(rule('a number')).min(0, 'a number of at least 0').max(14_400, 'inside a page')
const diagnosisCodes = ['none', 'allowed', 'required'] as const

export const TemplateBody = z.object({
  organizationId: id(),
  summary: text(100),
  clinicalDateLabel: text(100),
  diagnosisCode: z.enum(diagnosisCodes, rule(`one of ${diagnosisCodes.join(', ')}`)),
  daysBefore: days,
  daysAfter: days,
  pdfRequired: z
    .boolean(rule('true or false'))
    .optional()
    .register(docs, {
      title: 'PDF required',
      description:
        'What senders read of the template; true in a new one. A create needs its attachment in either case: the interface requires it.',
      examples: [true],
    }),
  signatureRule: optional(z.enum(signatureRules, rule(`one of ${signatureRules.join(', ')}`))).register(docs, {
    title: 'Signature rule',
    description:
      'What becomes of documents that are made with the template and have no signature field; null in a new one: what the organization decides.',
    examples: ['required'],
  }),
  coversTokens: optional(z.boolean(rule('true or false'))).register(docs, {
    title: 'Covers tokens',
    description:
      'Whether the text of tokens is covered in documents that are made with the template; null in a new one: what the organization decides.',
    examples: [false],
  }),
  fields: z
    .array(
      z.object({
        type: FieldType,
        page: id(),
        required: z.boolean(rule('true or false')),
        value: optional(upTo(MAX_FIELD_TEXT)),
        box: z
          .object({ left: point, top: point, right: point, bottom: point })
          .refine(({ left, top, right, bottom }) => left < right && top < bottom, 'a box with a width and a height'),
      }),
      rule('an array of at least one field'),
    )
    .min(1, 'at least one field')
    .max(MAX_ANNOTATIONS, `at most ${MAX_ANNOTATIONS} fields`),
  withoutSignature: z
    .boolean(rule('true or false'))
    .optional()
    .register(docs, {
      title: 'Without signature',
      description: 'Confirms that none of the fields is for a signature, which is otherwise refused.',
      examples: [true],
    }),
})
export type TemplateBody = z.input<typeof TemplateBody>

/** An omitted member keeps its value. A template stays with its organization. */
export const TemplateChangeBody = TemplateBody.omit({ organizationId: true }).partial()
export type TemplateChangeBody = z.input<typeof TemplateChangeBody>

const TemplateRules = z.object({
  templateId: z.int(),
  organizationId: z.int(),
  organization: z.string(),
  summary: z.string(),
  clinicalDateLabel: z.string(),
  diagnosisCode: z.enum(diagnosisCodes),
  daysBefore: z.int().nullable(),
  daysAfter: z.int().nullable(),
  pdfRequired: z.boolean(),
  isCustomTemplate: z.boolean(),
  signatureRule: z.enum(signatureRules).nullable(),
  coversTokens: z.boolean().nullable(),
})

/** A template as it is listed, with the number of its fields. */
export const ListedTemplate = TemplateRules.extend({ fields: z.int() })
export type ListedTemplate = z.infer<typeof ListedTemplate>

/** A template with its fields, to be edited. */
export const TemplateFile = TemplateRules.extend({
  fields: z.array(Field),
  hasSample: z.boolean().register(docs, {
    title: 'Has a sample',
    description: 'Whether the PDF is kept on which the fields were placed.',
    examples: [true],
  }),
})
export type TemplateFile = z.infer<typeof TemplateFile>
