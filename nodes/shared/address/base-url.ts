/** Which base URLs may be called: https anywhere, http on this machine and at hosts that someone has named. */
import { NodeError } from '../runtime/failures.ts'
import { isLoopbackHost } from './loopback-host.ts'

interface Address {
  baseUrl: string
  /** The hosts beyond this machine that may be called over http, by name. */
  httpHosts: readonly string[]
}

/**
 * Over http the key crosses the network in clear text, so a host beyond this machine must be named for it.
 * @throws the NodeError BAD_URL
 */
export function checkedUrl({ baseUrl, httpHosts }: Address): URL {
  const url = URL.parse(baseUrl)
  if (url?.protocol === 'https:') return url
  if (url?.protocol === 'http:' && (isLoopbackHost(url.hostname) || httpHosts.includes(url.hostname))) return url
  const advice =
    url?.protocol === 'http:'
      ? '; http is for this machine only, and for hosts that are listed under "Allow plain HTTP for"'
      : ' (http only for this machine)'
  throw new NodeError('BAD_URL', `Base URL (baseUrl): the base URL must be an https URL${advice}.`)
}

/** Whether calls leave this machine unencrypted. */
export function isClearText(address: Address): boolean {
  const url = URL.parse(address.baseUrl)
  return url?.protocol === 'http:' && !isLoopbackHost(url.hostname) && address.httpHosts.includes(url.hostname)
}
