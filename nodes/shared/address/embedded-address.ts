/** Where the embedded service listens, and where its pages are opened. */
import { isIP } from 'node:net'
import { NodeError } from '../runtime/failures.ts'
import { isLoopbackHost } from './loopback-host.ts'

interface Address {
  /** The address at which the embedded service listens. */
  bindHost: string
  /** Where browsers reach its pages; empty for an address of this machine. */
  publicUrl: string
}

/** @throws a NodeError that says what to enter: BAD_BIND_ADDRESS or BAD_PUBLIC_URL */
export function checkAddress({ bindHost, publicUrl }: Address): void {
  if (bindHost !== 'localhost' && isIP(bindHost) === 0)
    throw new NodeError(
      'BAD_BIND_ADDRESS',
      'Bind address (bindHost): an IP address of this machine; 0.0.0.0 for all of them, 127.0.0.1 for this machine only.',
    )
  if (publicUrl !== '' && !isOrigin(publicUrl))
    throw new NodeError(
      'BAD_PUBLIC_URL',
      'Public address (publicUrl): an https address without a path, such as https://sign.example.org; http only for localhost.',
    )
}

/** People cannot sign in over http, unless the browser is on the machine of the service. */
function isOrigin(text: string): boolean {
  const url = URL.parse(text)
  if (url?.username !== '' || url.href !== `${url.origin}/`) return false
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopbackHost(url.hostname))
}

/** Whether other machines can reach the embedded service. */
export const isExposed = ({ bindHost }: Pick<Address, 'bindHost'>): boolean =>
  !isLoopbackHost(bindHost === '::1' ? '[::1]' : bindHost)

/** Returns the address at which the nodes call a service that listens at `baseUrl`; one that listens everywhere, here. */
export const addressHere = (baseUrl: string): string =>
  baseUrl.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:')

/**
 * Returns where a browser opens the pages; null when it cannot reach them. Without a public address only a browser on the same
 * machine can, and only there it may sign in over http.
 * @param baseUrl where the nodes call the service
 * @param editorHost the host of the address at which the editor is open
 */
export function pagesAddress(publicUrl: string, baseUrl: string, editorHost: string): string | null {
  if (publicUrl !== '') return new URL(publicUrl).origin
  return isLoopbackHost(editorHost) && isLoopbackHost(new URL(baseUrl).hostname) ? baseUrl : null
}
