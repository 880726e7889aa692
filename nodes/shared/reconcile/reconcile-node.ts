/** State shared by the parts of one reconcile node. */
import type { GuardedSend } from '../accepted/guarded-send.ts'
import type { Config, Runtime, RuntimeNode } from '../runtime/node-red.ts'
import { type Shown, show, shownSetAside } from '../runtime/status.ts'
import type { ServiceNode } from '../service/connection.ts'

export interface ReconcileNode {
  runtime: Runtime
  node: RuntimeNode
  config: Config
  service: ServiceNode | null
  guarded: GuardedSend
  /** How many outcomes are set aside. */
  setAside: number
  /** Aborted when the node closes. */
  signal: AbortSignal
}

/** Shows a result with its time; how many outcomes are set aside, when there are any, unless the result is bad. */
export function showResult({ runtime, node, setAside }: ReconcileNode, result: Shown): void {
  const shown = result.tone === 'bad' ? result : { ...result, ...shownSetAside(setAside) }
  show(runtime, node, { ...shown, at: Date.now() })
}
