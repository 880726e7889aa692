/** How a reconcile node is given an outcome that someone wants sent into the flow again. Types only. */
import type { Unrecorded } from '../../../lib/client/unrecorded/unrecorded.ts'

export interface OutcomeTaker {
  /** The name of the node, for people. */
  name: string
  /** Sends the outcome into the flow, through the output of its status. */
  send(outcome: Unrecorded): void
}
