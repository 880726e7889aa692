/** Lets a node take over accepted messages that another node, which is gone, has left. */
import { adopters } from '../runtime/adopters.ts'
import { NodeError } from '../runtime/failures.ts'
import type { Message, RuntimeNode } from '../runtime/node-red.ts'
import type { Intake } from './intake.ts'
import type { Put } from './sealed-queue.ts'

export interface AdoptedMessage {
  message: Message
  /** Tells it apart from other messages. */
  digest: string
}

/** Returns a function that ends it. */
export const adoptInto = ({ id, type, name }: RuntimeNode, intake: Intake): (() => void) =>
  adopters.add({
    kind: 'intake',
    nodeId: id,
    type,
    name: name || id,
    serviceId: null,
    count: () => intake.waiting,
    async adopt(given) {
      const { message, digest } = given as AdoptedMessage
      throwIfFull(await intake.adopt(message, digest))
    },
  })

/** Throws the NodeError NO_ROOM. */
export function throwIfFull(put: Put): void {
  if (put === 'full')
    throw new NodeError('NO_ROOM', 'The node’s queue limit leaves no room for it. Raise the limit, then try again.')
}
