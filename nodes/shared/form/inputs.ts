/** Checks the inputs of a form against the contract. Errors never repeat a value: they name the input and say what would be right. */
import type * as z from 'zod'
import { wirePath } from '../../../lib/contract/wire-path.ts'
import { InputError } from '../runtime/failures.ts'
import type { FormReader } from './form-reader.ts'
import { pathOf } from './origins.ts'

export type InputTable = Record<string, z.ZodType>
export type Inputs<T extends InputTable> = { [K in keyof T]: z.output<T[K]> }

/**
 * Reads all inputs of a table. Throws one InputError that names everything wrong with them.
 * @param wireNames the names of the fields that are sent under another one than that of their input
 */
export async function readInputs<T extends InputTable>(
  table: T,
  reader: FormReader,
  wireNames: Record<string, string> = {},
): Promise<Inputs<T>> {
  const wrong: string[] = []
  const values: Record<string, unknown> = {}
  for (const [name, schema] of Object.entries(table)) {
    const field = wireNames[name] ?? name
    const parsed = schema.safeParse(asParameter(await reader.value(name, field)))
    if (parsed.success) values[name] = parsed.data
    else wrong.push(...parsed.error.issues.map((issue) => `${wirePath([field, ...issue.path])}: ${issue.message}`))
  }
  refuse(reader, wrong)
  return values as Inputs<T>
}

/** Throws an InputError with the sentences about fields, and with what could not be evaluated, when there are any. */
export function refuse({ errors, named }: FormReader, wrong: readonly string[]): void {
  const broken = new Set(errors.map(pathOf))
  // An input that cannot be evaluated gives nothing, but that is not what is wrong with it.
  const others = wrong.filter((sentence) => !broken.has(pathOf(sentence)))
  const all = [...others.map(named), ...errors]
  if (all.length > 0) throw new InputError(all)
}

/** Path and query values travel as text, so 1001 and "1001" name the same task. */
const asParameter = (value: unknown) =>
  typeof value === 'number' || typeof value === 'boolean' ? String(value) : value
