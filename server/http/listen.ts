/** Opens the port of the service. Rejects with a sentence that says why it cannot, and what to do. */
import { type AddressInfo, createServer, type Server } from 'node:net'
import { hostname } from 'node:os'

/** @param option what the options for port and host begin with */
export function listen(server: Server, port: number, host: string, option = '--'): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (failure: NodeJS.ErrnoException) => reject(cannotListen(failure, port, host, option)))
    server.listen(port, host, () => resolve())
  })
}

/** Finds out whether a server could listen there, and leaves the port free. Rejects as `listen` does. */
export async function tryToListen(port: number, host: string, option?: string): Promise<void> {
  const probe = createServer()
  await listen(probe, port, host, option)
  await new Promise((resolve) => probe.close(resolve))
}

/** Returns the URL at which the server answers. Throws before it listens. */
export function urlOf(server: Server): string {
  const address = server.address() as AddressInfo | null
  if (!address) throw new Error('The service has no address before it has started.')
  const host = address.family === 'IPv6' ? `[${address.address}]` : address.address
  return `http://${host}:${address.port}`
}

/** Returns the URL at which this machine reaches the server, also where it listens on all addresses. Throws before it listens. */
export const localUrlOf = (server: Server): string =>
  urlOf(server).replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:')

/** Returns the name of the machine and the port, as a person tells instances apart. Throws before it listens. */
export const placeOf = (server: Server): string => `${hostname()}:${new URL(urlOf(server)).port || 80}`

function cannotListen({ code }: NodeJS.ErrnoException, port: number, host: string, option: string): Error {
  const reasons: Record<string, string> = {
    EADDRINUSE: `Port ${port} of ${host} is in use. Stop the program that has it, or choose another one with ${option}port.`,
    EACCES: `Port ${port} may not be used by this user. Choose one above 1023 with ${option}port.`,
    EADDRNOTAVAIL: `${host} is not an address of this machine. Choose another one with ${option}host.`,
    ENOTFOUND: `${host} is not known. Choose an address of this machine with ${option}host.`,
  }
  const message = reasons[code ?? ''] ?? `The service cannot listen on port ${port} of ${host} (${code}).`
  return Object.assign(new Error(message), { code })
}
