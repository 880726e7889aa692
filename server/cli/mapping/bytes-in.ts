/** Files that a call names. */
import { readFile } from 'node:fs/promises'
import { CommandError } from '../command/command-error.ts'

/** Returns what a file holds. Throws `CommandError` when it cannot be read. @param what the option or argument that names it */
export const bytesIn = (file: string, what: string): Promise<Buffer> =>
  readFile(file).catch(({ code }: NodeJS.ErrnoException) => {
    throw new CommandError(`${what}: this file cannot be read (${code}).`)
  })
