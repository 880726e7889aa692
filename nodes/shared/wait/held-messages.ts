/** Holds the messages that wait for the outcome of their tasks. None outlives the process. */
import type { Done, Message, RuntimeNode, Send } from '../runtime/node-red.ts'

export interface Held {
  message: Message
  send: Send
  done: Done
}

export interface HeldMessages {
  /** Holds a message for a task, and ends the one that was held for it before. */
  hold(taskId: number, held: Held): void
  /** Lets the message of a task go and returns it; after a restart, a new one with its id. */
  take(taskId: number, messageId?: unknown): Held
  /** Returns the message of a task, which stays held; after a restart, a new one with its id. */
  peek(taskId: number, messageId?: unknown): Message
  drop(taskId: number): void
  /** Ends all messages. The next start makes new ones for the waits in the journal. */
  finish(): void
}

export function createHeldMessages(node: RuntimeNode): HeldMessages {
  const held = new Map<number, Held>()

  return {
    hold(taskId, entry) {
      held.get(taskId)?.done()
      held.set(taskId, entry)
    },
    take(taskId, messageId) {
      const known = held.get(taskId)
      held.delete(taskId)
      if (known) return known
      const message = newMessage(messageId)
      return {
        message,
        send: (sent) => node.send(sent),
        done: (failure) => failure && node.error(failure, message),
      }
    },
    peek: (taskId, messageId) => held.get(taskId)?.message ?? newMessage(messageId),
    drop: (taskId) => void held.delete(taskId),
    finish() {
      for (const { done } of held.values()) done()
    },
  }
}

const newMessage = (messageId: unknown): Message => (typeof messageId === 'string' ? { _msgid: messageId } : {})
