/** Files that a call names. */
import { readFile } from 'node:fs/promises'
import { readPlainFile } from '../../../lib/plain-file.ts'
import { CommandError } from '../command/command-error.ts'

/**
 * Returns what a file holds. Throws `CommandError` when it cannot be read.
 * @param what the option or argument that names it
 * @param isNamed whether the operator names it, so that it may be a link, or a pipe of the shell
 */
export const bytesIn = (file: string, what: string, isNamed = true): Promise<Buffer> =>
  (isNamed ? readFile(file) : readPlainFile(file)).catch(({ code }: NodeJS.ErrnoException) => {
    throw new CommandError(`${what}: this file cannot be read (${code}).`)
  })
