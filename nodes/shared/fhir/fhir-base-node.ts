/** The FHIR base of a configuration node, for the nodes that use it. */
import { readFileSync } from 'node:fs'
import { Agent } from 'node:https'
import { createFhirBase, type FhirBase } from '../../../lib/fhir/fhir-base.ts'
import type { FhirSettingsInput } from '../../../lib/fhir/fhir-settings.ts'
import { SettingsError } from '../../../lib/settings.ts'
import { checkedUrl } from '../address/base-url.ts'
import { NodeError } from '../runtime/failures.ts'
import type { Config, Runtime, RuntimeNode } from '../runtime/node-red.ts'
import { transportOf } from '../service/connector.ts'
import { listOf } from '../service/settings.ts'

export interface FhirBaseNode extends RuntimeNode {
  /** The nodes that use it, by their ids. Node-RED tells them its errors through this name. */
  users: Record<string, RuntimeNode>
  /** Returns the base, which has called no one yet. Throws a NodeError or a SettingsError that says what to set. */
  base(): FhirBase
}

/** Returns null when no base is chosen. Throws when the chosen one is missing: messages would be held that could be sent. */
export function fhirBaseOf(runtime: Runtime, id: unknown): FhirBase | null {
  if (!id) return null
  const node = runtime.nodes.getNode(id) as FhirBaseNode | null
  if (node?.base) return node.base()
  throw new NodeError(
    'NO_FHIR_BASE',
    'FHIR base (fhir): the chosen one is disabled, was deleted or is not deployed yet. Enable or deploy it, or choose another one.',
  )
}

/** The base of a node as it is configured. */
export function openBase(runtime: Runtime, node: RuntimeNode, config: Config): FhirBase {
  const baseUrl = String(config.baseUrl ?? '').trim()
  checkedUrl({ baseUrl, httpHosts: listOf(config.httpHosts) })
  const { tls } = transportOf(runtime, config, undefined)
  return createFhirBase({
    baseUrl,
    ...authorizationOf(node, config),
    documentHosts: listOf(config.documentHosts),
    timeoutMs: Number(config.timeout || 30) * 1000,
    ...(tls && { httpsAgent: new Agent(tls.addTLSOptions({ keepAlive: true })) }),
  })
}

function authorizationOf(node: RuntimeNode, config: Config): Pick<FhirSettingsInput, 'bearer' | 'backend'> {
  const { bearerToken = '', privateKey = '' } = node.credentials
  if (config.authorization === 'bearer') return { bearer: bearerToken }
  if (config.authorization !== 'backend') return {}
  const [clientId, keyId, scope, tokenUrl, keyFile] = ['clientId', 'keyId', 'scope', 'tokenUrl', 'keyFile'].map(
    (name) => String(config[name] ?? '').trim(),
  ) as [string, string, string, string, string]
  return {
    backend: {
      clientId,
      scope,
      privateKey: keyFile ? keyIn(keyFile) : inLines(privateKey),
      ...(keyId && { keyId }),
      ...(tokenUrl && { tokenUrl }),
    },
  }
}

function keyIn(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    throw new SettingsError('FHIR base', [{ path: 'keyFile', right: 'a file that Node-RED can read' }])
  }
}

/** A field of a form makes one line of a PEM that is pasted into it. */
const inLines = (key: string): string =>
  key.replace(/(-----BEGIN [A-Z ]+-----)(.*?)(-----END [A-Z ]+-----)/s, (_, begin: string, body: string, end: string) =>
    [begin, ...(body.replace(/\s+/g, '').match(/.{1,64}/g) ?? []), end].join('\n'),
  )
