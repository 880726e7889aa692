/** The status of a webhook node: how it receives, or the error of its connection. */
import type { Runtime, RuntimeNode } from '../runtime/node-red.ts'
import { type Shown, show } from '../runtime/status.ts'

export interface ReceiverStatus {
  show(shown: Shown): void
  /** Shows a bad connection, and with a good one again what was shown before. */
  connection(shown: Shown): void
}

export function receiverStatus(runtime: Runtime, node: RuntimeNode): ReceiverStatus {
  let own: Shown | null = null
  return {
    show(shown) {
      own = shown
      show(runtime, node, shown)
    },
    connection(shown) {
      show(runtime, node, shown.tone === 'bad' ? shown : own)
    },
  }
}
