/** Chooses a part of all changes, always the same part, for folders whose changes are too many to try them all. */
import { createHash } from 'node:crypto'
import { basename } from 'node:path'

export interface Change {
  fileName: string
  location: { start: { line: number; column: number } }
  mutatorName: string
  replacement?: string
}

/** Returns whether a change belongs to a random share, such as 0.1, of all changes. */
export function isInSample({ fileName, location, mutatorName, replacement }: Change, share: number): boolean {
  const { line, column } = location.start
  const key = [basename(fileName), line, column, mutatorName, replacement].join('\n')
  return createHash('sha256').update(key).digest().readUInt32BE() < share * 2 ** 32
}
