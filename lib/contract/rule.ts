/** Messages about a missing or wrong value. No zod, for code that has to stay small in a bundle. */

/** Returns the message for a value that is missing or wrong. `right` says what would be right: "exactly 10 digits". */
export const rule = (right: string) => ({
  error: (issue: { input?: unknown }) =>
    issue.input === undefined || issue.input === null ? `required; ${right}` : right,
})

/** A requirement on a value, with its message. */
export interface Rule<T> {
  fits(value: unknown): value is T
  /** A description of valid values, for the message. */
  right: string
}

/** Returns what is wrong with a value, after its path; null when it is right. */
export const wrongBy = ({ fits, right }: Rule<unknown>, value: unknown, path: string): string | null =>
  fits(value) ? null : `${path}: ${rule(right).error({ input: value })}`

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A description of valid ids of a host. choice: Ids of hosts */
export const ANY_HOST_ID = `a whole number up to ${Number.MAX_SAFE_INTEGER}`
