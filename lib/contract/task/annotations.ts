/** Annotations: which fields the signer completes, and where they are. spec: Resources › Task: annotations */
import * as z from 'zod'
import { docs } from '../docs.ts'
import { absent, id, optional, rule, text, upTo } from '../primitives.ts'
import { fieldKind, fieldTypes, MAX_FIELD_TEXT } from './field-kinds.ts'

/** `a, b, or c` */

/** By hand, because `Intl` takes longer to load than all schemas of a task to be made. */
const either = (texts: readonly string[]): string => `${texts.slice(0, -1).join(', ')}, or ${texts.at(-1)}`

export const FieldType = z.enum(fieldTypes, rule(`one of ${fieldTypes.join(', ')}`)).register(docs, {
  id: 'FieldType',
  title: 'Field type',
  description: `${either(fieldTypes.map((type) => fieldKind(type).description))}.`,
  examples: ['VisibleSignature'],
})
export type FieldType = z.infer<typeof FieldType>

const points = (title: string, description: string, example: number) =>
  z
    .number(rule('a number'))
    .min(0, 'a number of at least 0')
    .register(docs, { title, description, examples: [example] })

const offset = (title: string, description: string, example: number) =>
  z.number(rule('a number')).register(docs, { title, description, examples: [example] })

/** Members of every annotation, regardless of how it is placed. */
const item = {
  type: FieldType,
  value: optional(upTo(MAX_FIELD_TEXT)).register(docs, {
    title: 'Value',
    description: 'Text that pre-fills a TextArea.',
    examples: ['As discussed'],
    sensitive: true,
  }),
  performer: optional(z.literal(1, { error: () => '1, the index of the only performer' })).register(docs, {
    title: 'Performer',
    description: '1-based index into performers: 1.',
    examples: [1],
  }),
  required: optional(z.boolean(rule('true or false'))).register(docs, {
    title: 'Required',
    description: 'Whether the signer must fill the field in. Optional; false by default.',
    examples: [true],
  }),
}

/** Where a field with coordinates is; read on its own when the item has errors elsewhere. */
export const Place = z.object({
  pageNumber: id().register(docs, { title: 'Page', description: 'Page of the PDF, from 1.', examples: [1] }),
  left: points('Left', 'Left edge in points from the left of the page as displayed.', 72),
  top: points('Top', 'Top edge in points from the top of the page as displayed.', 600),
  right: points('Right', 'Right edge in points; greater than left.', 252),
  bottom: points('Bottom', 'Bottom edge in points; greater than top.', 636),
})
export type Place = z.infer<typeof Place>

/** Compares coordinates even where another field of the item is wrong, so that all errors come at once. */
const always = () => true
/** A coordinate that is not a number has an error of its own. */
const isBehind = (far: unknown, near: unknown) => typeof far === 'number' && typeof near === 'number' && far <= near

/** Where coordinates begin on the page as displayed. The interface has the top left; a host may have the other. */
export type Origin = 'top-left' | 'bottom-left'

/** The edges whose order depends on the origin: the first is nearer to it. */
const upright = { 'top-left': ['top', 'bottom'], 'bottom-left': ['bottom', 'top'] } as const

const jsonAnnotation = (origin: Origin) => {
  const [near, far] = upright[origin]
  return z
    .object({ ...item, ...Place.shape }, absent)
    .refine(({ left, right }) => !isBehind(right, left), { path: ['right'], error: 'greater than left', when: always })
    .refine((at) => !isBehind(at[far], at[near]), { path: [far], error: `greater than ${near}`, when: always })
}

export const JsonAnnotation = jsonAnnotation('top-left').register(docs, {
  id: 'JsonAnnotation',
  title: 'Annotation with coordinates',
  description: 'A field at a given place: points (1/72 inch), origin at the top left of the page as displayed.',
  examples: [{ type: 'VisibleSignature', required: true, pageNumber: 1, left: 72, top: 600, right: 252, bottom: 636 }],
})
export type JsonAnnotation = z.infer<typeof JsonAnnotation>

export const ReferenceTextAnnotation = z
  .object(
    {
      ...item,
      referenceText: text().register(docs, {
        title: 'Reference text',
        description: 'Text in the PDF; the first match in reading order counts.',
        examples: ['Physician Signature:'],
        sensitive: true,
      }),
      offsetX: offset('Offset X', 'Points from the left of the found text to the field; right is positive.', 110),
      offsetY: offset('Offset Y', 'Points from the top of the found text to the field; down is positive.', -8),
    },
    absent,
  )
  .register(docs, {
    id: 'ReferenceTextAnnotation',
    title: 'Annotation next to a text',
    description: 'A field placed relative to text in the PDF.',
    examples: [{ type: 'VisibleSignature', referenceText: 'Physician Signature:', offsetX: 110, offsetY: -8 }],
  })
export type ReferenceTextAnnotation = z.infer<typeof ReferenceTextAnnotation>

const templateId = id().register(docs, {
  title: 'Template id',
  description: "A templateId of the organization's templates.",
  examples: [204],
})
const alsoTemplateId = optional(templateId).register(docs, {
  title: 'Template id',
  description: "May be sent with every placement type: the template's rules then apply, its positions do not.",
  examples: [204],
})
const kind = <T extends string>(type: T, description: string) => {
  const schema = z.literal(type)
  docs.add(schema, { title: 'Placement', description, examples: [type] })
  return schema
}
/** More fields than any document has for one signer. */
export const MAX_ANNOTATIONS = 500
const items = <S extends z.ZodType>(schema: S, example: unknown) =>
  z
    .array(schema, rule('an array of at least one annotation'))
    .min(1, 'at least one annotation')
    .max(MAX_ANNOTATIONS, `at most ${MAX_ANNOTATIONS} annotations`)
    .register(docs, { title: 'Annotations', description: 'The fields the signer completes.', examples: [[example]] })

/** The ways to say where the fields are. */
const placementsWith = (annotation: ReturnType<typeof jsonAnnotation>) =>
  [
    z.object({ type: kind('Template', "The template's own fields are used."), templateId }),
    z.object({
      type: kind('Json', 'Fields at explicit coordinates.'),
      templateId: alsoTemplateId,
      data: items(annotation, docs.get(JsonAnnotation)!.examples[0]),
    }),
    z.object({
      type: kind('SmartAnnotations', 'Fields at the tokens in the text of the PDF.'),
      templateId: alsoTemplateId,
    }),
    z.object({
      type: kind('ReferenceText', 'Fields next to texts in the PDF.'),
      templateId: alsoTemplateId,
      data: items(ReferenceTextAnnotation, docs.get(ReferenceTextAnnotation)!.examples[0]),
    }),
  ] as const
const placements = placementsWith(JsonAnnotation)
export const placementTypes = placements.map(({ shape }) => shape.type.value)
export type PlacementType = (typeof placementTypes)[number]
const anyPlacement = `one of ${placementTypes.join(', ')}`

const oneOf = (ways: typeof placements) =>
  z.discriminatedUnion('type', ways, {
    error: (issue) =>
      issue.code === 'invalid_union' ? anyPlacement : rule(`an object whose type is ${anyPlacement}`).error(issue),
  })

const told = {
  title: 'Annotations',
  description: 'The places of the fields that the signer completes, in one of four ways.',
  examples: [{ type: 'SmartAnnotations' }, { type: 'Template', templateId: 204 }],
}

export const Annotations = oneOf(placements).register(docs, { id: 'Annotations', ...told })
export type Annotations = z.infer<typeof Annotations>

/** Returns the annotations of a host whose coordinates begin there. */
export function annotationsFrom(origin: Origin): typeof Annotations {
  if (origin === 'top-left') return Annotations
  const annotation = jsonAnnotation(origin).register(docs, {
    title: 'Annotation with coordinates',
    description: 'A field at a given place: points (1/72 inch), origin at the bottom left of the page as displayed.',
    examples: [
      { type: 'VisibleSignature', required: true, pageNumber: 1, left: 72, bottom: 156, right: 252, top: 192 },
    ],
  })
  return oneOf(placementsWith(annotation)).register(docs, told)
}
