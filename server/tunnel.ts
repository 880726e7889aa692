/**
 * Connections through a proxy, by HTTP CONNECT. Where a request brings a look-up of its own, as those to receivers do, the proxy is
 * asked for the address that it finds, and not for the name: the address that was checked is the one that is called.
 */
import type { Agent, AgentOptions, ClientRequestArgs } from 'node:http'
import type { AgentOptions as TlsAgentOptions } from 'node:https'
import { isIPv6 } from 'node:net'
import type { Duplex } from 'node:stream'
import { checkServerIdentity, type PeerCertificate } from 'node:tls'
import { HttpProxyAgent, HttpsProxyAgent } from 'hpagent'
import type { ProxyPlace } from './domain/proxy-place.ts'

/** A proxy that does not answer has no answer after this time. */
const CONNECT_TIMEOUT_MS = 20_000

/** Returns an agent whose connections go through the proxy. */
export function tunnelAgent(
  protocol: string,
  { url }: ProxyPlace,
  options: AgentOptions | TlsAgentOptions = {},
): Agent {
  const agent: Agent = new (protocol === 'https:' ? HttpsProxyAgent : HttpProxyAgent)({ ...options, proxy: url })
  const dial = agent.createConnection.bind(agent)
  agent.createConnection = (asked, callback: Connected = () => {}) => {
    const connect = (address: string) =>
      dial(
        { ...asked, ...target(asked.host ?? '', address), timeout: asked.timeout ?? CONNECT_TIMEOUT_MS },
        named(callback),
      )
    addressOf(asked).then(connect, (error: Error) => callback(error, NO_STREAM))
    return undefined
  }
  return agent
}

type Connected = (error: Error | null, stream: Duplex) => void
/** Node.js reads none where there is an error. */
const NO_STREAM = undefined as unknown as Duplex

const addressOf = ({ host, lookup }: ClientRequestArgs): Promise<string> =>
  new Promise((resolve, reject) => {
    const name = host ?? ''
    if (!lookup) return resolve(name)
    lookup(name, { all: false }, (error, address) => (error ? reject(error) : resolve(String(address))))
  })

/** The certificate is checked against the name, whatever address is called. */
const target = (host: string, address: string) => ({
  host: isIPv6(address) ? `[${address}]` : address,
  checkServerIdentity: (_name: string, certificate: PeerCertificate) => checkServerIdentity(host, certificate),
})

/** Gives the refusal of a proxy a code, such as `EPROXY_407`; the library has a sentence alone. */
const named =
  (callback: Connected): Connected =>
  (error, stream) => {
    const [, status] = /^Bad response: (\d+)/.exec(error?.message ?? '') ?? []
    callback(error && status ? Object.assign(error, { code: `EPROXY_${status}` }) : error, stream)
  }
