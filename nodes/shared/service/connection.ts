/** The connection that the configuration node offers to the nodes that use it. */
import type { Client } from '../../../lib/client/client.ts'
import type { LookUps } from '../../../lib/client/lookup-cache.ts'
import type { CreateOnce } from '../../../lib/client/once/create-once.ts'
import type { Queue } from '../../../lib/client/pace/queue.ts'
import type { Sandbox } from '../../../lib/client/sandbox.ts'
import type { WaitingTask } from '../../../lib/client/watch/watch.ts'
import type { Journal } from '../../../lib/journal/journal.ts'
import type { JournalChoice } from '../database/journal-choice.ts'
import type { SharedDatabase } from '../database/shared-database.ts'
import { NodeError } from '../runtime/failures.ts'
import type { News } from '../runtime/news.ts'
import type { Runtime, RuntimeNode } from '../runtime/node-red.ts'
import type { Register } from '../runtime/register.ts'
import type { ConnectionWatch } from './connection-watch.ts'
import type { EventTimes } from './event-times.ts'
import type { Journals, OwnJournal } from './journals.ts'
import type { OutcomeTaker } from './outcome-taker.ts'
import type { Settings } from './settings.ts'
import type { Speech } from './speech.ts'
import type { TaskNews } from './task-news.ts'

/** A node has taken over a task from those that had it before. */
export interface Taken {
  taskId: number
  /** Whether its outcome is dealt with; otherwise a node waits for it, and has written so down. */
  isOver: boolean
}

/** A service that can be called. */
export interface Connection {
  /** Its calls take turns, within the limit of the configuration node and no faster than the host takes them. */
  client: Client
  /** Calls at once, for people who ask whether the service answers. */
  direct: Client
  create: CreateOnce
  lookUps: LookUps
  /** True for the embedded service, whose signers are not real. */
  simulated: boolean
  /** The address of a task's page in the console, with `{taskId}` in the place of the id; null when it is not known. */
  consoleUrl: string | null
  /** Where the embedded service answers on this machine; null for a host. */
  address: string | null
  /** How the host speaks, and what is checked before sending. */
  speech: Speech
  /** PEM of the certificates that seal the documents of the service; empty when they are not known. */
  certificates: string
  /** The sandbox calls, which are no part of the partner interface. */
  sandbox: Sandbox
}

export interface ServiceNode extends RuntimeNode {
  /** The nodes that use this one, by id. Node-RED reads it to report this node's errors and statuses through them. */
  users: Record<string, RuntimeNode>
  settings: Settings
  /** Identifies the service that the settings name; `signatureService` of messages about its tasks. */
  place: string
  /** The tasks of which some node has learnt that they have changed, by id. */
  changes: TaskNews
  /** The tasks that nodes are waiting for. */
  waits: Register<() => Promise<WaitingTask[]>>
  /** The times of outcomes, by the events of webhooks. */
  eventTimes: EventTimes
  /** The nodes that can send an outcome into a flow again. */
  takers: Register<OutcomeTaker>
  /** The tasks that some node has taken over. */
  taken: News<Taken>
  /** The reminders of open tasks that some flow has dealt with, as `msg.reminder` names them. */
  remindersTaken: News<string>
  /** How many calls of all nodes wait for the host; null when none does any more. */
  queue: News<Queue | null>
  /** Whether the service can be called, for all its nodes to show. */
  connection: ConnectionWatch
  /** Returns how the host speaks, whether it can be called or not. Throws the NodeError BAD_PROFILE. */
  speech(): Speech
  /** Resolves when the service can be called. A failure is not kept: the next call tries again. */
  connect(): Promise<Connection>
  /**
   * Opens a part of this node's journal file: ids and secrets, and what is sealed; nothing else of a document or a patient. Each service that the node
   * comes to name has parts of its own, because the same id means another task there.
   */
  journal(namespace: string): Promise<Journal>
  /** Opens a part of which each of the processes that share the journal has its own entries. */
  ownJournal(namespace: string): Promise<OwnJournal>
  /** Where the journal is. */
  journalChoice: JournalChoice
  /** The database that other processes keep the journal in, too; null for a folder. */
  shared: SharedDatabase | null
  /** Calls back from time to time while other processes may leave something to this one. Returns a function that ends it. */
  onBeat(listener: () => void): () => void
  /** The journal file of this node, with the parts that no node opens any more. */
  journals: Journals
  /** Counts again what is kept here that no node works on. */
  orphansChanged(): void
  /** Makes this node wait for the work of another one before it closes. */
  finish(work: Promise<unknown>): void
}

/** Returns the configuration node with this id and registers `node` as its user; null when there is none. */
export function serviceOf(runtime: Runtime, node: RuntimeNode, id: unknown): ServiceNode | null {
  const service = runtime.nodes.getNode(id) as ServiceNode | null
  if (service?.users) service.users[node.id] = node
  return service
}

export const leaveService = (service: ServiceNode | null, node: RuntimeNode) => {
  // After a deploy, another node may be registered under the same id.
  if (service?.users[node.id] === node) delete service.users[node.id]
}

/** The error of a node without a service; `id` is the one that it names. */
export const noService = (id: unknown) =>
  new NodeError(
    'NO_SERVICE',
    id
      ? 'The chosen service is disabled or was deleted. Enable it, or open the node and choose another one.'
      : 'No service is chosen. Open the node and choose or add a signature service.',
  )
