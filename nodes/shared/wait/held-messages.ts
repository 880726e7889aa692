/** The messages that wait for the outcome of their tasks. None outlives the process. */
import type { Done, Message, RuntimeNode, Send } from '../runtime/node-red.ts'

export interface Held {
  message: Message
  send: Send
  done: Done
}

export interface HeldMessages {
  /** Holds a message for a task; one that was held for it before is done. */
  hold(taskId: number, held: Held): void
  /** Returns the message held for a task, or after a restart a new one with the id that it had, and holds it no longer. */
  take(taskId: number, messageId?: unknown): Held
  /** Returns the message held for a task, or after a restart a new one with the id that it had. */
  peek(taskId: number, messageId?: unknown): Message
  drop(taskId: number): void
  /** Ends all messages. Those of the journal's waits are made again after the next start. */
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
      const message = madeAnew(messageId)
      return {
        message,
        send: (sent) => node.send(sent),
        done: (failure) => failure && node.error(failure, message),
      }
    },
    peek: (taskId, messageId) => held.get(taskId)?.message ?? madeAnew(messageId),
    drop: (taskId) => void held.delete(taskId),
    finish() {
      for (const { done } of held.values()) done()
    },
  }
}

const madeAnew = (messageId: unknown): Message => (typeof messageId === 'string' ? { _msgid: messageId } : {})
