/** The fields of a form that says where each one stands: a row per field, or a list that comes as one value. */
import { asBoolean, asNumber, compact, rowsOf } from './form-values.ts'
import { type Evaluate, typedInput } from './inputs.ts'
import type { Config } from './node-red.ts'

/** The placement types that say where each field stands, and where the form keeps the rows of each. */
const PLACED: Record<string, string> = { Json: 'jsonAnnotations', ReferenceText: 'textAnnotations' }

/** The annotation items as the interface spells them, not yet checked; nothing for a placement that has none. */
export async function placedFields(config: Config, value: Evaluate): Promise<unknown> {
  const list = PLACED[String(config.placement)]
  if (list === undefined) return undefined
  if (config.annotationSource !== 'rows') return value(typedInput(config, 'annotations'), 'annotations')
  const rows = await rowsOf(config, list, value)
  return rows.map(({ type, value: text, referenceText, required, ...places }) => {
    const numbers = Object.entries(places).map(([name, place]) => [name, asNumber(place)])
    return compact({ type, value: text, referenceText, required: asBoolean(required), ...Object.fromEntries(numbers) })
  })
}
