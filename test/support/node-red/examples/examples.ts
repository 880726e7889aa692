/** The examples as they are imported, all of them into one Node-RED. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../built.ts'
import type { FlowNode, NodeRed } from '../node-red.ts'

const folder = join(root, 'examples')

export const exampleNames: readonly string[] = readdirSync(folder)
  .filter((name) => name.endsWith('.json'))
  .map((name) => name.replace('.json', ''))

export const exampleFlow = (name: string): FlowNode[] => JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8'))

/** Returns the id of the node of an example that has this name, or is of this type. */
export const idIn = (example: string, called: string): string =>
  exampleFlow(example).find(({ name, type }) => name === called || type === called)!.id

/**
 * All examples at once, with probes for debug nodes. Those of an organization share its service, so that each search of its tasks
 * knows which of them others wait for.
 */
export function allExamples(): FlowNode[] {
  const nodes = exampleNames.flatMap(exampleFlow)
  const services = new Map<unknown, FlowNode>()
  const shared = new Map<unknown, string>()
  for (const node of nodes.filter(({ type }) => type === 'countersign-service')) {
    if (!services.has(node.organization)) services.set(node.organization, node)
    shared.set(node.id, services.get(node.organization)!.id)
  }
  const others = nodes.filter(({ type }) => type !== 'countersign-service')
  return [...services.values(), ...others].map((node) => ({
    ...node,
    ...(shared.has(node.service) && { service: shared.get(node.service) }),
    type: node.type === 'debug' ? 'probe' : node.type,
  }))
}

/** Presses the button of an inject node. */
export const press = (red: NodeRed, example: string, button: string): Promise<Response> =>
  fetch(red.adminUrl(`inject/${idIn(example, button)}`), { method: 'POST' })
