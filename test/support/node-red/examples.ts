/** The examples as they are imported, all of them into one Node-RED. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../built.ts'
import type { FlowNode, NodeRed } from './node-red.ts'

const folder = join(root, 'examples')

export const exampleNames: readonly string[] = readdirSync(folder)
  .filter((name) => name.endsWith('.json'))
  .map((name) => name.replace('.json', ''))

export const exampleFlow = (name: string): FlowNode[] => JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8'))

/** Returns the id of the node of an example that has this name, or is of this type. */
export const idIn = (example: string, called: string): string =>
  exampleFlow(example).find(({ name, type }) => name === called || type === called)!.id

/** All examples at once: they share one service, and have probes for debug nodes. */
export function allExamples(): FlowNode[] {
  const nodes = [...new Map(exampleNames.flatMap(exampleFlow).map((node) => [node.id, node])).values()]
  for (const node of nodes) if (node.type === 'debug') node.type = 'probe'
  return nodes
}

/** Presses the button of an inject node. */
export const press = (red: NodeRed, example: string, button: string): Promise<Response> =>
  fetch(red.adminUrl(`inject/${idIn(example, button)}`), { method: 'POST' })
