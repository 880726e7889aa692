/** The nodes of this Node-RED that hold messages, for the sidebar, which looks after what they hold. */
import { createRegister } from '../runtime/register.ts'
import type { HeldQueue } from './held-queue.ts'

export interface Desk {
  nodeId: string
  /** The name of the node, for people. */
  name: string
  queue: HeldQueue
}

export const desks = createRegister<Desk>()
