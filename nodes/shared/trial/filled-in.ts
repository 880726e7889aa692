/** Fills in environment variables, as Node-RED does when it starts a node. */
import type { Config, Message, Runtime, RuntimeNode } from '../runtime/node-red.ts'

/** Returns a copy in which each value that is `${NAME}` as a whole has the variable's value; it stays when there is none. */
export async function filledIn(runtime: Runtime, config: Config): Promise<Config> {
  const node = runtime.nodes.getNode(config.id) ?? ({ id: config.id } as RuntimeNode)
  const entries = Object.entries(config).map(async ([name, value]) => [name, await filled(runtime, node, value)])
  return Object.fromEntries(await Promise.all(entries))
}

const filled = (runtime: Runtime, node: RuntimeNode, value: unknown): Promise<unknown> =>
  new Promise((resolve) => {
    if (typeof value !== 'string' || !/^\$\{[^\s{}]+\}$/.test(value)) return resolve(value)
    const message: Message = {}
    runtime.util.evaluateNodeProperty(value, 'env', node, message, (failure, found) =>
      resolve(failure || found === undefined || found === '' ? value : found),
    )
  })
