/** Lays a request out field by field, with where each value comes from. Pure. */
import type { CreateTask } from '../contract/task/task.ts'
import type { NewDocument, Origins } from './mapped.ts'

/** A value of a request. */
export interface ExplainedField {
  /** The field as the interface names it: `patient.names[0].family`. */
  field: string
  /** The value as text; of the document, how large it is. */
  value: string
  /** The place in the message, or the part of the map; empty when nothing is noted. */
  from: string
}

/** Returns every value of a request that a message became. The document itself is omitted. */
export const explain = ({ body, origins }: Pick<NewDocument, 'body' | 'origins'>): ExplainedField[] =>
  leaves('', withoutPdf(body)).map(({ field, value }) => ({ field, value, from: originOf(field, origins) }))

const withoutPdf = ({ document, ...rest }: CreateTask) => ({
  ...rest,
  document: {
    ...document,
    attachment: `PDF, ${Math.ceil(Buffer.byteLength(document.attachment, 'base64') / 1024)} kB`,
  },
})

function leaves(field: string, value: unknown): { field: string; value: string }[] {
  if (value === null || value === undefined) return []
  if (Array.isArray(value)) return value.flatMap((entry, index) => leaves(`${field}[${index}]`, entry))
  if (typeof value !== 'object') return [{ field, value: String(value) }]
  return Object.entries(value).flatMap(([name, part]) => leaves(field === '' ? name : `${field}.${name}`, part))
}

/** Returns the origin noted for a field, or for the object that contains it. */
function originOf(field: string, origins: Origins): string {
  if (field === '') return ''
  return Object.hasOwn(origins, field)
    ? origins[field]!
    : originOf(field.replace(/(?:\.|^)[^.[]+$|\[\d+\]$/, ''), origins)
}
