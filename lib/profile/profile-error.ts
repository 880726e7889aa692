/** Describes an invalid profile. */
import { isObject, type Rule } from '../contract/rule.ts'

/** A profile is wrong. The message and `errors` name every value that is, and what would be right. */
export class ProfileError extends Error {
  /** The name of the class, which tells it apart also where several copies of this package are loaded. */
  override readonly name = 'ProfileError'
  /** `INVALID_PROFILE`. */
  readonly code = 'INVALID_PROFILE'
  /** A sentence for each wrong value, such as `list.paging.pageSize: a whole number from 1 to 500`. */
  readonly errors: readonly string[]
  constructor(errors: readonly string[]) {
    super(`The profile of the host is wrong: ${errors.join('; ')}`)
    this.errors = errors
  }
}

/** The message for a name that a profile does not know. */
export const UNKNOWN_VALUE = 'there is no such value'

/** A profile is a JSON object. */
export const PROFILE: Rule<object> = { fits: isObject, right: 'a JSON object' }
