/** The way to a real host, from the settings of the configuration node: address, key, TLS, proxy and time limit. */
import { Agent, type AgentOptions } from 'node:https'
import type { AxiosProxyConfig } from 'axios'
import type { ClientOptions } from '../../../lib/client/client.ts'
import { checkedUrl } from '../address/base-url.ts'
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
  /** The hosts beyond this machine that may be called over http. */
  httpHosts: readonly string[]
  apiKey: string | undefined
  timeoutMs: number
  tls?: TlsConfig | null
  proxy?: ProxyConfig | null
}

/** Throws a NodeError that says what to set: NO_KEY or BAD_URL. */
export function hostOptions({ baseUrl, httpHosts, apiKey, timeoutMs, tls, proxy }: HostSettings): ClientOptions {
  const url = checkedUrl({ baseUrl, httpHosts })
  const transport = {
    ...(tls && { httpsAgent: new Agent(tls.addTLSOptions({ keepAlive: true })) }),
    ...(proxy?.url && { proxy: isExempt(url, proxy.noproxy ?? []) ? (false as const) : proxyOf(proxy) }),
  }
  return { baseUrl, apiKey: checkedKey(apiKey), timeoutMs, ...transport }
}

/** @throws the NodeError NO_KEY */
export function checkedKey(apiKey: string | undefined): string {
  if (!apiKey) throw new NodeError('NO_KEY', 'API key (apiKey): empty. Open the signature service and enter it.')
  // Node-RED leaves the name of an unset environment variable as it is.
  if (/^\$\{\S+\}$/.test(apiKey))
    throw new NodeError(
      'NO_KEY',
      'API key (apiKey): it is taken from an environment variable that is not set. Set the variable, or enter the key.',
    )
  return apiKey
}

function isExempt(url: URL, noproxy: string[]): boolean {
  return noproxy.some((rule) => {
    const name = rule.trim().replace(/^\*?\.?/, '')
    return name !== '' && (url.hostname === name || url.host === name || url.hostname.endsWith(`.${name}`))
  })
}

function proxyOf({ url = '', credentials = {} }: ProxyConfig): AxiosProxyConfig {
  const parsed = URL.parse(url)
  if (!parsed) throw new NodeError('BAD_URL', 'Proxy (proxy): its URL is not a URL. Open the proxy and correct it.')
  const { username, password } = credentials
  return {
    protocol: parsed.protocol,
    host: parsed.hostname,
    port: Number(parsed.port) || (parsed.protocol === 'https:' ? 443 : 80),
    ...(username && { auth: { username, password: password ?? '' } }),
  }
}
