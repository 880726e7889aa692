/** When a key that is made ends: the option `--expires`. */
import { CommandError } from './command-error.ts'

export const EXPIRES = ['--expires <TIME>', '2027-01-01 or 2027-01-01T09:00:00Z; never when left out'] as const

export interface GivenExpiry {
  expires?: string
}

/** ISO 8601, or null where the option is left out. Whether it is still to come, the operation says. */
export function expiryOf({ expires }: GivenExpiry): string | null {
  if (expires === undefined) return null
  const time = new Date(expires)
  if (Number.isNaN(time.getTime())) throw new CommandError('--expires: a time to come, such as 2027-01-01')
  return time.toISOString()
}
