/** The fields of a form that says where each one stands: a row per field, or a list that comes as one value. */
import type { PlacementType } from '../../../lib/contract/task/annotations.ts'
import type { Config } from '../runtime/node-red.ts'
import { asBoolean, asNumber, compact, rowsOf } from './form-values.ts'
import { type Evaluate, typedInput } from './inputs.ts'

/** The list of a form that keeps the rows of a placement; null where a placement has no row for each field. */
export const rowLists: Readonly<Record<PlacementType, string | null>> = {
  Template: null,
  Json: 'jsonAnnotations',
  SmartAnnotations: null,
  ReferenceText: 'textAnnotations',
}

/** The annotation items as the interface spells them, not yet checked; nothing for a placement that has none. */
export async function placedFields(config: Config, value: Evaluate): Promise<unknown> {
  const list = rowLists[config.placement as PlacementType] ?? null
  if (list === null) return undefined
  if (config.annotationSource !== 'rows') return value(typedInput(config, 'annotations'), 'annotations')
  const rows = await rowsOf(config, list, value)
  return rows.map(({ type, value: text, referenceText, required, ...places }) => {
    const numbers = Object.entries(places).map(([name, place]) => [name, asNumber(place)])
    return compact({ type, value: text, referenceText, required: asBoolean(required), ...Object.fromEntries(numbers) })
  })
}
