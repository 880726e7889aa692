/** Evaluates the typed inputs of a node's form for one message. Errors never repeat a value. */
import { InputError } from '../runtime/failures.ts'
import type { Config, Message, Runtime, RuntimeNode } from '../runtime/node-red.ts'

/** A value of the editor's typed input: `msg` with a path, `str` with a text, `jsonata` with an expression, and so on. */
export interface TypedValue {
  type: string
  value: unknown
}

/** Evaluates a typed input for one message; `path` names the field in errors. Returns undefined for what is omitted: an empty text, null, or nothing. */
export type Evaluate = (input: TypedValue, path: string) => Promise<unknown>

export const evaluator =
  (runtime: Runtime, node: RuntimeNode, message: Message): Evaluate =>
  ({ type, value }, path) =>
    new Promise((resolve, reject) => {
      const settle = (failure: (Error & { code?: string }) | null, result?: unknown) => {
        // A path that this message does not have is a value omitted, which the contract may allow. Text that is not a path is a
        // mistake in the form.
        if (!failure || (type === 'msg' && failure.code !== 'INVALID_EXPR'))
          resolve(result === '' || result === null || failure ? undefined : result)
        else reject(new InputError([`${path}: its ${type} expression cannot be evaluated`]))
      }
      if (value === undefined || value === null || value === '') return resolve(undefined)
      try {
        runtime.util.evaluateNodeProperty(value, type, node, message, settle)
      } catch (failure) {
        settle(failure as Error)
      }
    })

/** Reads a property that a message lacks under another name, which other nodes give it. */
export const orOtherName =
  (evaluate: Evaluate, otherNames: Record<string, string> = {}): Evaluate =>
  async ({ type, value }, path) => {
    const other = type === 'msg' ? otherNames[String(value)] : undefined
    const found = await evaluate({ type, value }, path)
    return found === undefined && other ? evaluate({ type, value: other }, path) : found
  }

/** The typed input `name` of a form, which stores its kind alongside it as `nameType`. */
export const typedInput = (config: Config, name: string): TypedValue => ({
  type: String(config[`${name}Type`] ?? 'msg'),
  value: config[name],
})
