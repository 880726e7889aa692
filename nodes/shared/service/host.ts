/** The way to a real host, from the settings of the configuration node: address, key, TLS, proxy and time limit. */
import { Agent, type AgentOptions } from 'node:https'
import type { AxiosProxyConfig } from 'axios'
import type { ClientOptions } from '../../../lib/client/client.ts'
import { NodeError } from '../runtime/failures.ts'

/** Node-RED's own `tls-config` node. */
export interface TlsConfig {
  addTLSOptions(options: AgentOptions): AgentOptions
}

/** Node-RED's own `http proxy` node. */
export interface ProxyConfig {
  url?: string
  noproxy?: string[]
  credentials?: { username?: string; password?: string }
}

export interface HostSettings {
  baseUrl: string
  apiKey: string | undefined
  timeoutMs: number
  tls?: TlsConfig | null
  proxy?: ProxyConfig | null
}

/** Throws a NodeError that says what to set: NO_KEY or BAD_URL. */
export function hostOptions({ baseUrl, apiKey, timeoutMs, tls, proxy }: HostSettings): ClientOptions {
  const url = checkedUrl(baseUrl)
  if (!apiKey) throw new NodeError('NO_KEY', 'The API key is missing. Open the signature service and enter it.')
  // Node-RED leaves the name of an unset environment variable as it is.
  if (/^\$\{\S+\}$/.test(apiKey))
    throw new NodeError('NO_KEY', 'The API key is taken from an environment variable that is not set.')
  const transport = {
    ...(tls && { httpsAgent: new Agent(tls.addTLSOptions({ keepAlive: true })) }),
    ...(proxy?.url && { proxy: isExempt(url, proxy.noproxy ?? []) ? (false as const) : proxyOf(proxy) }),
  }
  return { baseUrl, apiKey, timeoutMs, ...transport }
}

/** Over http the key would cross the network in clear text, so http is for this machine only. */
function checkedUrl(text: string): URL {
  const url = URL.parse(text)
  const isLoopback = url !== null && /^(localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname)
  if (url === null || !(url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback)))
    throw new NodeError('BAD_URL', 'The base URL must be an https URL (http only for this machine).')
  return url
}

function isExempt(url: URL, noproxy: string[]): boolean {
  return noproxy.some((rule) => {
    const name = rule.trim().replace(/^\*?\.?/, '')
    return name !== '' && (url.hostname === name || url.host === name || url.hostname.endsWith(`.${name}`))
  })
}

function proxyOf({ url = '', credentials = {} }: ProxyConfig): AxiosProxyConfig {
  const parsed = URL.parse(url)
  if (!parsed) throw new NodeError('BAD_URL', 'The URL of the proxy is not a URL.')
  const { username, password } = credentials
  return {
    protocol: parsed.protocol,
    host: parsed.hostname,
    port: Number(parsed.port) || (parsed.protocol === 'https:' ? 443 : 80),
    ...(username && { auth: { username, password: password ?? '' } }),
  }
}
