/**
 * Evaluates the typed inputs of a node's form for one message and checks them against the contract. Errors never repeat a
 * value: they name the input and say what would be right.
 */
import type * as z from 'zod'
import { wirePath } from '../../../lib/contract/error.ts'
import { InputError } from '../runtime/failures.ts'
import type { Config, Message, Runtime, RuntimeNode } from '../runtime/node-red.ts'

/** What the editor's typed input stores: `msg` with a path, `str` with a text, `jsonata` with an expression, and so on. */
export interface TypedValue {
  type: string
  value: unknown
}

/** Evaluates a typed input for one message. Returns undefined for what is left out: an empty text, null, or nothing. */
export type Evaluate = (input: TypedValue, label: string) => Promise<unknown>

export const evaluator =
  (runtime: Runtime, node: RuntimeNode, message: Message): Evaluate =>
  ({ type, value }, label) =>
    new Promise((resolve, reject) => {
      const settle = (failure: (Error & { code?: string }) | null, result?: unknown) => {
        // A path that this message does not have is a value left out, which the contract may allow. Text that is not a path is a
        // mistake in the form.
        if (!failure || (type === 'msg' && failure.code !== 'INVALID_EXPR'))
          resolve(result === '' || result === null || failure ? undefined : result)
        else reject(new InputError([`${label}: its ${type} expression cannot be evaluated`]))
      }
      if (value === undefined || value === null || value === '') return resolve(undefined)
      try {
        runtime.util.evaluateNodeProperty(value, type, node, message, settle)
      } catch (failure) {
        settle(failure as Error)
      }
    })

/** Reads a property that a message lacks under the name that it had in earlier versions. */
export const orFormer =
  (evaluate: Evaluate, formerNames: Record<string, string> = {}): Evaluate =>
  async ({ type, value }, label) => {
    const former = type === 'msg' ? formerNames[String(value)] : undefined
    const found = await evaluate({ type, value }, label)
    return found === undefined && former ? evaluate({ type, value: former }, label) : found
  }

/** The typed input `name` of a form, which stores its kind beside it as `nameType`. */
export const typedInput = (config: Config, name: string): TypedValue => ({
  type: String(config[`${name}Type`] ?? 'msg'),
  value: config[name],
})

export type InputTable = Record<string, z.ZodType>
export type Inputs<T extends InputTable> = { [K in keyof T]: z.output<T[K]> }

/** Reads all inputs of a table. Throws one InputError that names everything wrong with them. */
export async function readInputs<T extends InputTable>(
  table: T,
  config: Config,
  evaluate: Evaluate,
): Promise<Inputs<T>> {
  const errors: string[] = []
  const values: Record<string, unknown> = {}
  for (const [name, schema] of Object.entries(table)) {
    try {
      const parsed = schema.safeParse(asParameter(await evaluate(typedInput(config, name), name)))
      if (parsed.success) values[name] = parsed.data
      else errors.push(...parsed.error.issues.map((issue) => `${wirePath([name, ...issue.path])}: ${issue.message}`))
    } catch (failure) {
      if (!(failure instanceof InputError)) throw failure
      errors.push(...failure.errors)
    }
  }
  if (errors.length > 0) throw new InputError(errors)
  return values as Inputs<T>
}

/** Path and query values travel as text, so 1001 and "1001" name the same task. */
const asParameter = (value: unknown) =>
  typeof value === 'number' || typeof value === 'boolean' ? String(value) : value
