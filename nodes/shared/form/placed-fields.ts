/** Reads the fields that a form places one by one: a row per field, or a list that comes as one value. */
import type { PlacementType } from '../../../lib/contract/task/annotations.ts'
import type { Config } from '../runtime/node-red.ts'
import { asBoolean, asNumber, compact, rowsOf } from './form-values.ts'
import { type Evaluate, typedInput } from './inputs.ts'

/** The form's list with the rows of each placement; null for a placement that has no rows. */
export const rowLists: Readonly<Record<PlacementType, string | null>> = {
  Template: null,
  Json: 'jsonAnnotations',
  SmartAnnotations: null,
  ReferenceText: 'textAnnotations',
}

/** Returns the annotation items as the interface spells them, unchecked; undefined for a placement that has none. */
export async function placedFields(config: Config, evaluate: Evaluate): Promise<unknown> {
  const list = rowLists[config.placement as PlacementType] ?? null
  if (list === null) return undefined
  if (config.annotationSource !== 'rows') return evaluate(typedInput(config, 'annotations'), 'annotations')
  const rows = await rowsOf(config, list, evaluate)
  return rows.map(({ type, value: text, referenceText, required, ...places }) => {
    const numbers = Object.entries(places).map(([name, place]) => [name, asNumber(place)])
    return compact({ type, value: text, referenceText, required: asBoolean(required), ...Object.fromEntries(numbers) })
  })
}
