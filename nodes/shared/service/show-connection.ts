/** Shows beneath a node whether its service can be called. */
import type { Runtime, RuntimeNode } from '../runtime/node-red.ts'
import { show } from '../runtime/status.ts'
import type { ServiceNode } from './connection.ts'

export interface ConnectionShown {
  /** The node has something of its own to show now, and only a connection that is bad takes its place, until it is good again. */
  begin(): void
  stop(): void
}

/** @param isFree whether the node has nothing to show that matters more even than a bad connection */
export function showConnection(
  runtime: Runtime,
  node: RuntimeNode,
  service: ServiceNode | null,
  isFree: () => Promise<boolean> = async () => true,
): ConnectionShown {
  let hasBegun = false
  const stop = service?.connection.listen(async (shown) => {
    const isWanted = () => shown.tone === 'bad' || !hasBegun
    if (!isWanted() || !(await isFree()) || !isWanted()) return
    show(runtime, node, shown)
    hasBegun = false
  })
  return {
    begin() {
      hasBegun = true
    },
    stop: () => stop?.(),
  }
}
