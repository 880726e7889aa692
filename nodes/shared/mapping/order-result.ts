/** How the nodes that map messages tell a flow what became of one. */
import type { Mapped } from '../../../lib/mapping/mapped.ts'
import type { Result } from '../message-node.ts'

/** The outputs of these nodes. */
const [CREATE, RETRACT, HELD] = [0, 1, 2]

/** A held message keeps its payload, so that it can be corrected and sent again. */
export function orderResult(mapped: Mapped): Result {
  if (!mapped.ok) return { set: { held: mapped.held }, output: HELD, shown: { tone: 'waiting', key: 'held' } }
  const { action, warnings, aliases } = mapped
  if (action === 'retract') {
    const { externalDocId } = mapped
    const set = { externalDocId, aliases, action, replaces: undefined, warnings, held: undefined }
    return { set, output: RETRACT, shown: { tone: 'good', key: 'ended' } }
  }
  const { body, replaces } = mapped
  const { externalDocId } = body.document
  const set = { payload: body, externalDocId, aliases, action, replaces, warnings, held: undefined }
  return { set, output: CREATE, shown: { tone: 'good', key: 'read' } }
}
