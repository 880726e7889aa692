/** Opens a connection, plain or by TLS. */
import { connect as connectPlain, isIP, type Socket } from 'node:net'
import { type ConnectionOptions, connect as connectTls } from 'node:tls'
import { isRefusedCertificate, MllpError } from './mllp-error.ts'

export interface DialOptions {
  host: string
  port: number
  /** Turns TLS on: for example `ca` of the receiver, and `key` and `cert` where it requires them. */
  tls?: ConnectionOptions
  /** Optional; 10,000 ms by default. */
  connectTimeoutMs?: number
}

/** How often a connection that is silent is asked whether it still holds. */
const KEEP_ALIVE_MS = 60_000

/** Resolves with a connection that can be written to. Rejects with `MllpError`, and what Node.js calls the reason. */
export function dial({ host, port, tls, connectTimeoutMs = 10_000 }: DialOptions): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const servername = isIP(host) ? {} : { servername: host }
    const socket = tls ? connectTls({ ...servername, ...tls, host, port }) : connectPlain({ host, port })
    const fail = (failure: NodeJS.ErrnoException) => {
      socket.destroy()
      const { code = 'TIMEOUT' } = failure
      reject(new MllpError(isRefusedCertificate(code) ? 'untrusted' : 'unreachable', false, code))
    }
    const late = setTimeout(() => fail(new Error()), connectTimeoutMs)
    socket.on('error', fail)
    socket.once('close', () => clearTimeout(late))
    socket.once(tls ? 'secureConnect' : 'connect', () => {
      clearTimeout(late)
      socket.setKeepAlive(true, KEEP_ALIVE_MS)
      socket.setNoDelay(true)
      resolve(socket)
    })
  })
}
