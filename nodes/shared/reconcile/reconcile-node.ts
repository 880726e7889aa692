/** What the parts of one reconcile node share. */
import type { Config, Runtime, RuntimeNode } from '../runtime/node-red.ts'
import type { ServiceNode } from '../service/connection.ts'

export interface ReconcileNode {
  runtime: Runtime
  node: RuntimeNode
  config: Config
  service: ServiceNode | null
  /** Aborted when the node closes. */
  signal: AbortSignal
}
