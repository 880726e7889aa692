/** State shared by the parts of one wait node. */
import type { Watch } from '../../../lib/client/watch/watch.ts'
import type { GuardedSend } from '../accepted/guarded-send.ts'
import type { Config, Runtime, RuntimeNode } from '../runtime/node-red.ts'
import type { OnceItWorks } from '../runtime/once-it-works.ts'
import { type Shown, show, shownSetAside } from '../runtime/status.ts'
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
  guarded: GuardedSend
  /** How many outcomes are set aside. */
  setAside: number
  /** Ends the taking over of what other processes leave. */
  stopTakingOver: () => void
}

/** The latest report: its task and time. */
export type News = Pick<Shown, 'taskId' | 'at'>

/**
 * Shows how many outcomes are set aside; when none are, how many tasks are waited for, then how many outcomes are not acknowledged,
 * then `otherwise`. The latest news follows.
 */
export function showCount(
  { runtime, node, setAside }: WaitNode,
  { size, reported }: Watch,
  otherwise: Shown | null,
  news: News = {},
): void {
  const counted = (key: string, count: number): Shown => ({ tone: 'waiting', key, values: { count } })
  const rest = reported > 0 ? counted('unacknowledged', reported) : otherwise
  const shown = shownSetAside(setAside) ?? (size > 0 ? counted('waiting', size) : rest)
  show(runtime, node, shown && { ...shown, ...news })
}
