/** Which nodes are in the flows. Node-RED calls a disabled node "removed" too, but that one has to keep its state. */
import type { Runtime } from './node-red.ts'

/** Returns a test for ids: whether a node is in the flows, disabled or not; during a deploy, in the new flows. */
export function nodesInFlows(runtime: Pick<Runtime, 'nodes'>): (id: string) => boolean {
  const ids = new Set<string>()
  runtime.nodes.eachNode(({ id }) => ids.add(id))
  // The id of a node in a subflow is the ids of the instances around it and its own, joined by hyphens.
  return (id) => ids.has(id) || id.split('-').every((part) => ids.has(part))
}
