/** When a key that is made ends: the option `--expires`. */
import type { Given } from './administer.ts'
import { CommandError } from './command.ts'

/** ISO 8601, or null where the option is left out. Whether it is still to come, the operation says. */
export function expiryOf(given: Given): string | null {
  const sent = given.text('expires')
  if (sent === undefined) return null
  const time = new Date(sent)
  if (Number.isNaN(time.getTime())) throw new CommandError('--expires: a time to come, such as 2027-01-01')
  return time.toISOString()
}
