/** Settings that callers give, checked as a whole when something is made of them. */
import type * as z from 'zod'
import { type WrongValue, wrongValues } from './contract/wrong-values.ts'

/** Settings are wrong. The message and `errors` name each one that is and what would be right, never its value. */
export class SettingsError extends Error {
  /** The name of the class, which tells it apart also where several copies of this package are loaded. */
  override readonly name = 'SettingsError'
  /** `INVALID_SETTINGS`. */
  readonly code = 'INVALID_SETTINGS'
  /** A sentence for each wrong setting, such as `timeoutMs: a whole number from 1 to 2147483647`. */
  readonly errors: readonly string[]
  /** The same as values: where each is, and what would be right. */
  readonly wrong: readonly WrongValue[]
  constructor(owner: string, wrong: readonly WrongValue[]) {
    const errors = wrong.map(({ path, right }) => `${path || 'settings'}: ${right}`)
    super(`The settings of the ${owner} are wrong: ${errors.join('; ')}`)
    this.errors = errors
    this.wrong = wrong
  }
}

/**
 * Returns the settings with the defaults of those that were omitted.
 * @param owner what they are the settings of, for the error
 * @throws SettingsError that names everything wrong
 */
export function readSettings<S extends z.ZodType>(schema: S, given: unknown, owner: string): z.output<S> {
  // They are read once: compiling the schema would take longer.
  const read = schema.safeParse(given, { error: inWords, jitless: true })
  if (read.success) return read.data
  throw new SettingsError(owner, wrongValues(read.error, 'there is no such setting'))
}

/** For schemas that say nothing themselves. */
const inWords: z.core.$ZodErrorMap = (issue) => {
  if (issue.code === 'invalid_type') return EXPECTED[issue.expected]
  if (issue.code === 'too_small' && issue.origin === 'string') return 'text that is not empty'
  return undefined
}

const EXPECTED: Readonly<Record<string, string>> = {
  string: 'text',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
}
