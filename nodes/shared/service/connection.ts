/** What the configuration node offers to the nodes that use it. */
import type { Client } from '../../../lib/client/client.ts'
import type { LookUps } from '../../../lib/client/lookup-cache.ts'
import type { CreateOnce } from '../../../lib/client/once/create-once.ts'
import type { Sandbox } from '../../../lib/client/sandbox.ts'
import type { Journal } from '../../../lib/journal/journal.ts'
import { NodeError } from '../runtime/failures.ts'
import type { Runtime, RuntimeNode } from '../runtime/node-red.ts'
import type { TaskNews } from './task-news.ts'

/** A service that can be called. */
export interface Connection {
  /** Its calls take turns within the limit of the configuration node. */
  client: Client
  create: CreateOnce
  lookUps: LookUps
  /** True for the embedded service, whose signers are not real. */
  simulated: boolean
  /** For the sandbox calls, which are no part of the partner interface. */
  sandbox: Sandbox
}

export interface ServiceNode extends RuntimeNode, TaskNews {
  /** The nodes that use this one, under the name by which the runtime raises its errors and statuses through them. */
  users: Record<string, RuntimeNode>
  /** Resolves when the service can be called. A failure is not kept: the next call tries again. */
  connect(): Promise<Connection>
  /**
   * A part of this node's journal file; ids and secrets only, never a document or a patient. Each service that the node names
   * in the course of time has parts of its own, because its ids are its own.
   */
  journal(namespace: string): Promise<Journal>
  /** Takes work of another node, which has to end before this one closes. */
  finish(work: Promise<unknown>): void
}

/** The configuration node a node names. It registers the node as a user, so that failures show where they matter. */
export function serviceOf(runtime: Runtime, node: RuntimeNode, id: unknown): ServiceNode | null {
  const service = runtime.nodes.getNode(id) as ServiceNode | null
  if (service?.users) service.users[node.id] = node
  return service
}

export const leaveService = (service: ServiceNode | null, node: RuntimeNode) => {
  // After a deploy another node may stand there under the same id.
  if (service?.users[node.id] === node) delete service.users[node.id]
}

/** `id` is what the node names as its service. */
export const noService = (id: unknown) =>
  new NodeError(
    'NO_SERVICE',
    id
      ? 'The chosen service is disabled or was deleted. Enable it, or open the node and choose another one.'
      : 'No service is chosen. Open the node and choose or add a signature service.',
  )
