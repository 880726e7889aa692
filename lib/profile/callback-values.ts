/**
 * The values of a profile that a callback is verified by, and what each has to be: both `HostProfile` and `callbackHabitsOf`
 * read them by these rules. Pure.
 */
import type { Rule } from '../contract/rule.ts'

/** A requirement on a value, and its default. */
export interface ProfileValue<T> extends Rule<T> {
  otherwise: T
}

export const headerName: Rule<string> = {
  fits: (value): value is string => typeof value === 'string' && /^[A-Za-z0-9-]{1,60}$/.test(value),
  right: 'letters, digits and hyphens, as in a header',
}

/** The prefix of the header names. */
export const headerPrefix: ProfileValue<string> = { ...headerName, otherwise: 'X-Service-' }

/** How callbacks are signed. */
export const signingValues = {
  secretEncoding: oneOf('base64', 'utf8'),
  timestampUnit: oneOf('s', 'ms'),
  toleranceSeconds: {
    fits: (value): value is number => Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) <= 86_400,
    right: 'a whole number from 0 to 86400',
    otherwise: 300,
  } satisfies ProfileValue<number>,
} as const

function oneOf<const A, const B>(usual: A, other: B): ProfileValue<A | B> {
  return {
    fits: (value): value is A | B => value === usual || value === other,
    right: `${usual} or ${other}`,
    otherwise: usual,
  }
}
