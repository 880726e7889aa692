/** A field as placed on a document, as answers show it. */
import * as z from 'zod'
import { docs } from '../../lib/contract/docs.ts'
import { FieldType } from '../../lib/contract/task/document.ts'
import type { Field as PlacedField } from '../../lib/pdf/placement/placement.ts'

const Box = z.object({ left: z.number(), top: z.number(), right: z.number(), bottom: z.number() })

export const Field: z.ZodType<PlacedField, PlacedField> = z
  .object({
    page: z.int(),
    box: Box,
    type: FieldType,
    required: z.boolean(),
    value: z.string().nullable(),
    covers: z.array(Box).readonly().optional(),
  })
  .register(docs, {
    id: 'PlacedField',
    title: 'Placed field',
    description: 'A placed field: page from 1, box in points of the displayed page, origin top-left.',
    examples: [
      {
        page: 1,
        box: { left: 72, top: 690, right: 272, bottom: 726 },
        type: 'VisibleSignature',
        required: true,
        value: null,
      },
    ],
    sensitive: true,
  })
