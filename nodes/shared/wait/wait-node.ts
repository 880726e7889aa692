/** What the parts of one wait node share. */
import type { Watch } from '../../../lib/client/watch/watch.ts'
import type { Config, Runtime, RuntimeNode } from '../runtime/node-red.ts'
import type { OnceItWorks } from '../runtime/once-it-works.ts'
import { type Shown, show } from '../runtime/status.ts'
import type { ServiceNode } from '../service/connection.ts'
import type { Carry } from './carry.ts'
import type { HeldMessages } from './held-messages.ts'

export interface WaitNode {
  runtime: Runtime
  node: RuntimeNode
  config: Config
  service: ServiceNode | null
  carry: Carry
  held: HeldMessages
  watch: OnceItWorks<Watch>
}

/** Shows how many tasks are waited for, or `otherwise` when there are none. */
export const showCount = ({ runtime, node }: WaitNode, { size }: Watch, otherwise: Shown | null) =>
  show(runtime, node, size > 0 ? { tone: 'waiting', key: 'waiting', values: { count: size } } : otherwise)
