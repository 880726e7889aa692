/**
 * Holds the messages that wait for the outcome of their tasks. They outlive neither the node nor the process; what the journal
 * carries along does.
 */
import type { WaitMeta } from '../../../lib/client/watch/outcome.ts'
import type { Done, Message, RuntimeNode, Send } from '../runtime/node-red.ts'
import type { Carry } from './carry.ts'

export interface Held {
  message: Message
  send: Send
  done: Done
}

export interface HeldMessages {
  /** Holds a message for a task, and ends the one that was held for it before. */
  hold(taskId: number, held: Held): void
  /** Lets the message of a task go and returns it; after a restart, a new one with its id and what was carried along. */
  take(taskId: number, meta?: WaitMeta): Held
  /** Returns the message of a task, which stays held; after a restart, a new one as `take` returns it. */
  peek(taskId: number, meta?: WaitMeta): Message
  drop(taskId: number): void
  /** Ends all messages. The next start makes new ones for the waits in the journal. */
  finish(): void
}

export function createHeldMessages(node: RuntimeNode, carry: Carry): HeldMessages {
  const held = new Map<number, Held>()

  const newMessage = (taskId: number, { messageId, carried }: WaitMeta = {}): Message => ({
    ...(typeof carried === 'string' && carry.unpack(taskId, carried)),
    ...(typeof messageId === 'string' && { _msgid: messageId }),
  })

  return {
    hold(taskId, entry) {
      held.get(taskId)?.done()
      held.set(taskId, entry)
    },
    take(taskId, meta) {
      const known = held.get(taskId)
      held.delete(taskId)
      if (known) return known
      const message = newMessage(taskId, meta)
      return {
        message,
        send: (sent) => node.send(sent),
        done: (failure) => failure && node.error(failure, message),
      }
    },
    peek: (taskId, meta) => held.get(taskId)?.message ?? newMessage(taskId, meta),
    drop: (taskId) => void held.delete(taskId),
    finish() {
      for (const { done } of held.values()) done()
    },
  }
}
