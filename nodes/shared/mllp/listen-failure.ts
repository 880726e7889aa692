/** Why a port cannot be listened on. */
import { knownFailure, NodeError } from '../runtime/failures.ts'

export function listenFailure(failure: unknown, port: number): Error & { code: string } {
  const { code } = failure as NodeJS.ErrnoException
  if (code === 'EADDRINUSE')
    return new NodeError(
      'PORT_IN_USE',
      `Port ${port} is in use, by another node or program. Choose another one, or stop that.`,
    )
  if (code === 'EACCES' || code === 'EADDRNOTAVAIL')
    return new NodeError(
      'CANNOT_LISTEN',
      `Port ${port} cannot be listened on (${code}). Choose one from 1024 on, and an address of this machine.`,
    )
  return knownFailure(failure)
}
