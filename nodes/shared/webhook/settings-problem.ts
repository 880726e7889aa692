/** Finds settings with which a webhook node can never answer. */
import { NodeError } from '../runtime/failures.ts'
import type { Config, Runtime } from '../runtime/node-red.ts'

/** Returns the first problem, or undefined. `secrets` are those entered by hand; undefined when the node keeps a subscription. */
export function settingsProblem(runtime: Runtime, config: Config, secrets: string[] | undefined) {
  if (runtime.settings.httpNodeRoot === false || !runtime.httpNode)
    return new NodeError('NO_HTTP_ROOT', 'Node-RED has no HTTP root (httpNodeRoot is false), so it cannot be called.')
  if (String(config.path ?? '').replace(/\//g, '') === '')
    return new NodeError('NO_PATH', 'Path (path): empty. Open the node and enter the path at which the service calls.')
  if (secrets?.length === 0)
    return new NodeError(
      'NO_SECRET',
      'Secrets (secrets): empty. Open the node and enter the secret of the subscription.',
    )
  return undefined
}
