/** Who must have a second factor to sign in with a password. Pure. */

/** The values that an operator can set; staff are operators and administrators. */
export const REQUIRED_OF = ['nobody', 'staff', 'everybody'] as const
export type RequiredOf = (typeof REQUIRED_OF)[number]

export const mustHaveOne = (of: RequiredOf, role: string): boolean =>
  of === 'everybody' || (of === 'staff' && role !== 'signer')
