/** Which nodes are in the flows. Node-RED says "removed" of a disabled node too, and that one keeps what it has until it is enabled again. */
import type { Runtime } from './node-red.ts'

/** Tells by its id whether a node is in the flows, disabled ones too; during a deploy, in the flows that come. */
export function nodesInFlows(runtime: Pick<Runtime, 'nodes'>): (id: string) => boolean {
  const ids = new Set<string>()
  runtime.nodes.eachNode(({ id }) => ids.add(id))
  // A node of a subflow goes by the ids of the instances it is in and its own, joined.
  return (id) => ids.has(id) || id.split('-').every((part) => ids.has(part))
}
