/** A value of a profile as learned from a host. */

export interface Learnt {
  /** The path of the value in the profile, such as `list.envelope`. */
  path: string
  /** Undefined where the default stays. */
  value?: unknown
  /** `seen` in an exchange, `guessed` from other values, or the `default`, because it cannot be determined. */
  how: 'seen' | 'guessed' | 'default'
  why: string
}

export const seen = (path: string, value: unknown, why: string): Learnt => ({ path, value, how: 'seen', why })
export const guessed = (path: string, value: unknown, why: string): Learnt => ({ path, value, how: 'guessed', why })
export const untold = (path: string, why: string): Learnt => ({ path, how: 'default', why })

/** Returns the profile that was learnt, as it is written: values that were not learnt are omitted. */
export function profileFrom(learnt: readonly Learnt[]): Record<string, unknown> {
  const profile: Record<string, Record<string, unknown>> = {}
  for (const { path, value } of learnt) {
    if (value === undefined) continue
    const [group = '', name] = path.split('.')
    profile[group] = (name === undefined ? value : { ...profile[group], [name]: value }) as Record<string, unknown>
  }
  return profile
}
