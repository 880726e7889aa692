/** Which journal the nodes of this Node-RED keep their messages in: the one that its service nodes name, all of them the same. */
import { join } from 'node:path'
import { NodeError } from '../runtime/failures.ts'
import type { Runtime } from '../runtime/node-red.ts'
import type { SharedDatabase } from './shared-database.ts'
import type { Where } from './where.ts'

/** A folder of this machine, for one process, or a database, for several. */
export type JournalChoice = { folder: string } | { database: SharedDatabase }

/** The choices of the service nodes that run, by id. */
const chosen = new Map<string, JournalChoice>()

/** Notes the journal of a service node. Returns a function that forgets it. */
export function chooseJournal(serviceId: string, place: JournalChoice): () => void {
  chosen.set(serviceId, place)
  return () => {
    if (chosen.get(serviceId) === place) chosen.delete(serviceId)
  }
}

/** Where the nodes keep their files when no service names another folder. */
export const defaultFolder = ({ settings }: Pick<Runtime, 'settings'>): string =>
  join(settings.userDir ?? '.', 'countersign')

/**
 * Returns the journal of the nodes that have no service of their own, such as **accept**.
 * @throws the NodeError SEVERAL_JOURNALS, or NO_JOURNAL when the service that names it does not run
 */
export function journalOf({ nodes, settings }: Pick<Runtime, 'nodes' | 'settings'>): JournalChoice {
  const choices = new Map<string | SharedDatabase, JournalChoice>()
  nodes.eachNode(({ id, type, d, journal }) => {
    if (type !== 'countersign-service' || d === true) return
    const choice = chosen.get(id)
    if (choice) choices.set('folder' in choice ? choice.folder : choice.database, choice)
    else if (journal === 'postgres')
      throw new NodeError(
        'NO_JOURNAL',
        'The signature service that names the journal does not run. Enable or deploy it.',
      )
  })
  const [only, ...others] = choices.values()
  if (others.length > 0)
    throw new NodeError(
      'SEVERAL_JOURNALS',
      'Journal (journal): the signature services name several journals, so it is not clear where messages belong. Choose the same ' +
        'one in each of them.',
    )
  return only ?? { folder: defaultFolder({ settings }) }
}

export type QueueKind = 'held' | 'intake' | 'outbox' | 'handled' | 'files'

/** Returns where the queue of a node is. Throws the NodeErrors of `journalOf`. */
export function queueOf(runtime: Pick<Runtime, 'nodes' | 'settings'>, kind: QueueKind, nodeId: string): Where {
  const choice = journalOf(runtime)
  const queue = `${kind}-${nodeId}`
  if ('folder' in choice) return join(choice.folder, `${queue}.sqlite`)
  return { database: choice.database, queue, isOrdered: kind === 'outbox' }
}
