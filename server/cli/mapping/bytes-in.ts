/** Files that a call names. */
import { readPlainFile } from '../../../lib/plain-file.ts'
import { CommandError } from '../command/command-error.ts'
import { namedFile } from '../command/named-file.ts'

/**
 * Returns what a file holds. Throws `CommandError` when it cannot be read.
 * @param what the option or argument that names it
 * @param isNamed whether the operator names it, so that it may be a link, or a pipe of the shell
 */
export async function bytesIn(file: string, what: string, isNamed = true): Promise<Buffer> {
  if (isNamed) return namedFile(file, what)
  return readPlainFile(file).catch(({ code }: NodeJS.ErrnoException) => {
    throw new CommandError(`${what}: this file cannot be read (${code}).`)
  })
}
