/** Reads the fields that a form places one by one: a row per field, or a list that comes as one value. */
import type { PlacementType } from '../../../lib/contract/task/annotations.ts'
import type { FormReader } from './form-reader.ts'
import { asBoolean, asNumber, compact } from './form-values.ts'

/** The form's list with the rows of each placement; null for a placement that has no rows. */
export const rowLists: Readonly<Record<PlacementType, string | null>> = {
  Template: null,
  Json: 'jsonAnnotations',
  SmartAnnotations: null,
  ReferenceText: 'textAnnotations',
}

/** Returns the annotation items as the interface spells them, unchecked; undefined for a placement that has none. */
export async function placedFields({ config, value, rows }: FormReader): Promise<unknown> {
  const list = rowLists[config.placement as PlacementType] ?? null
  const path = 'document.annotations.data'
  if (list === null) return undefined
  if (config.annotationSource !== 'rows') return value('annotations', path)
  const placed = await rows(list, path)
  return placed.map(({ type, value: text, referenceText, required, ...places }) => {
    const numbers = Object.entries(places).map(([name, number]) => [name, asNumber(number)])
    return compact({ type, value: text, referenceText, required: asBoolean(required), ...Object.fromEntries(numbers) })
  })
}
