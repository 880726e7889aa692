/** Files that the operator names in a call: plain files, links to them, and pipes of the shell. */
import { readNamedFile, whyUnread } from '../../../lib/plain-file.ts'
import { CommandError } from './command-error.ts'

/** Returns what a file holds. Throws `CommandError` when it cannot be read. @param what the option or argument that names it */
export function namedFile(file: string, what: string): Buffer {
  try {
    return readNamedFile(file)
  } catch (failure) {
    throw new CommandError(`${what}: this file ${whyUnread(failure as NodeJS.ErrnoException)}.`)
  }
}

/** Returns the value in a JSON file. Throws `CommandError` when there is none, without anything that is in the file. */
export function jsonIn(file: string, what: string): unknown {
  const bytes = namedFile(file, what)
  try {
    return JSON.parse(bytes.toString())
  } catch {
    throw new CommandError(`${what}: ${file} cannot be read as JSON.`)
  }
}
