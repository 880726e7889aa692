/** The port that an option names. */
import { CommandError } from '../command/command-error.ts'

export function portOf(given: string, flag: string): number {
  const port = /^\d{1,5}$/.test(given) ? Number(given) : Number.NaN
  if (!(port <= 65_535)) throw new CommandError(`${flag}: a whole number from 0 to 65535`)
  return port
}
