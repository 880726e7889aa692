/** Tells failures of the files in which nodes keep messages, without anything of a message. */
import { DatabaseError } from '../database/calls.ts'
import { NodeError } from '../runtime/failures.ts'

/** Throws the NodeError CANNOT_KEEP when the work fails: what SQLite and Node.js say of a file holds nothing of a message. */
export function keeping<T>(work: () => T): T {
  try {
    return work()
  } catch (failure) {
    if (failure instanceof NodeError) throw failure
    if (failure instanceof DatabaseError) throw new NodeError('CANNOT_KEEP', `${failure.message} ${DATABASE_AWAY}`)
    const { code = 'UNKNOWN', errstr } = failure as { code?: string; errstr?: string }
    throw new NodeError(
      'CANNOT_KEEP',
      `The journal of messages cannot be read or written (${errstr ?? code}), so none is accepted. Free space on the disk, and let ` +
        'Node-RED write to the folder "countersign" in its user directory; then send the message again.',
    )
  }
}

const DATABASE_AWAY =
  'So no message is accepted. Check the database and the connection URL of the signature service; then send the message again.'

/** Returns the methods of an object, each of which throws the NodeError CANNOT_KEEP when it fails. */
export const keepingAll = <T extends object>(methods: T): T =>
  Object.fromEntries(
    Object.entries(methods).map(([name, method]) => [name, (...given: unknown[]) => keeping(() => method(...given))]),
  ) as T

/** Throws the NodeError CANNOT_OPEN when what was kept cannot be opened. */
export function opening<T>(work: () => T): T {
  try {
    return work()
  } catch {
    throw new NodeError('CANNOT_OPEN', CANNOT_OPEN)
  }
}

const CANNOT_OPEN =
  'A message in the journal cannot be opened: credentialSecret of the settings, or the file seal.key, is another one than when it ' +
  'came. It stays in the journal. Restore the secret and restart, or have the message sent again.'
