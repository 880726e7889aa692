/** Names the fields of a document for people, as the inbox shows them and messages name them. Pure. */
import { type FieldType, fieldKinds } from '../../contract/task/field-kinds.ts'
import type { Box } from '../geometry.ts'

type Placed = { type: FieldType; page: number; box: Box }

/** Returns the indexes of the fields in reading order. */
export const readingOrder = (fields: readonly Placed[]): number[] =>
  fields
    .map((field, index) => ({ ...field, index }))
    .sort((a, b) => a.page - b.page || a.box.top - b.box.top || a.box.left - b.box.left)
    .map(({ index }) => index)

/** Returns a name for each field: `Signature`, or `Text 2` for the second of its kind in reading order. */
export function fieldNames(fields: readonly Placed[]): string[] {
  const names: string[] = []
  const order = readingOrder(fields)
  for (const index of order) {
    const { type } = fields[index]!
    const alike = order.filter((other) => fields[other]!.type === type)
    const { name } = fieldKinds[type]
    names[index] = alike.length > 1 ? `${name} ${alike.indexOf(index) + 1}` : name
  }
  return names
}

/** Says what is wrong with a field to someone who knows it by its name. */
export const sentenceAt = (name: string, { page }: Pick<Placed, 'page'>, what: string): string =>
  `${name} on page ${page}: ${what}.`
