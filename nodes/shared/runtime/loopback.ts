/** The address at which this Node-RED answers on its own machine, for the embedded service to call. */
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { Runtime } from './node-red.ts'

/** Waits until Node-RED listens, because flows may start before that. */
export async function loopbackUrl({ server, settings }: Runtime, path: string, signal: AbortSignal): Promise<string> {
  if (!server.listening) await once(server, 'listening', { signal })
  const { address, family, port } = server.address() as AddressInfo
  const isAny = address === '0.0.0.0' || address === '::'
  const host = isAny ? '127.0.0.1' : family === 'IPv6' ? `[${address}]` : address
  return `${settings.https ? 'https' : 'http'}://${host}:${port}${path}`
}
