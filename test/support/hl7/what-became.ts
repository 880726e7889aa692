/** What became of a message: the parts of it that tests look at. */
import type { CreateTask } from '../../../lib/contract/task/task.ts'
import type { Mapped } from '../../../lib/mapping/mapped.ts'

/** The request. Throws when the message is held or taken back. */
export function bodyOf(result: Mapped): CreateTask {
  if (!result.ok || result.action === 'retract') throw new Error(`Not a body: ${JSON.stringify(result)}`)
  return result.body
}
export const heldBy = (result: Mapped): readonly string[] => (result.ok ? [] : result.held)
export const warningsOf = (result: Mapped): readonly string[] => (result.ok ? result.warnings : [])
