/** The messages that a node finishes after a restart although no one sends them again. */
import type { Message } from './node-red.ts'

export interface KeptMessages {
  /**
   * Hands over, once the flows run, the messages that an earlier start has left, which are handled like those that come in: first, one
   * at a time, those that may have ended the process.
   */
  resume(handle: (message: Message) => void): Promise<void>
  /** Whether the next start continues with the message, so that its end by a closing node is no failure. */
  isKept(message: Message): boolean
  /** Calls back with each message that a person has given to this node. It is handled like those that come in. */
  onAdopted(listener: (message: Message) => void): void
  /** @param isDeleted whether the node is gone from the flows; what it keeps stays for a person to send or discard */
  close(isDeleted: boolean): Promise<void>
}
