/** The nodes of this Node-RED that can take over what another node has left, and how much each of them keeps itself. */
import { createRegister } from './register.ts'

export type AdopterKind = 'order' | 'wait' | 'held' | 'intake' | 'outbox'

/** The value to take over; its properties depend on the kind. */
export interface Adopter {
  kind: AdopterKind
  nodeId: string
  type: string
  /** The name of the node, for people. */
  name: string
  /** The service that it uses; null for a node that uses none. */
  serviceId: string | null
  /** Returns how many orders, waits or messages the node keeps. */
  count(): number | Promise<number>
  /** Takes over one entry, which is on the disk when it resolves. Rejects when it cannot. */
  adopt(entry: unknown): Promise<void>
}

export const adopters = createRegister<Adopter>()
