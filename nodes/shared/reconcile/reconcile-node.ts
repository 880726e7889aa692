/** What the parts of one reconcile node share. */
import type { GuardedSend } from '../accepted/guarded-send.ts'
import type { Config, Runtime, RuntimeNode } from '../runtime/node-red.ts'
import type { ServiceNode } from '../service/connection.ts'

export interface ReconcileNode {
  runtime: Runtime
  node: RuntimeNode
  config: Config
  service: ServiceNode | null
  guarded: GuardedSend
  /** Aborted when the node closes. */
  signal: AbortSignal
}
