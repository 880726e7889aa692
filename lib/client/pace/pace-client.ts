/** A client whose calls go out no faster than the host takes them. */
import { type OperationName, operations } from '../../contract/operations.ts'
import type { CallOptions, Client } from '../client.ts'
import type { Pacer } from './pacer.ts'

type AnyCall = (call: unknown, options?: CallOptions) => Promise<unknown>

/**
 * Returns a client whose calls take their turns at the pacer, which several clients of one host and key may share. A POST that
 * the host may have taken is never sent again.
 */
export function paceClient<C extends Partial<Client>>(client: C, pacer: Pacer): C {
  const paced = Object.entries(client).map(([name, send]) => {
    // To a health check, 503 is the answer.
    const isRepeatable = operations[name as OperationName].method !== 'post' && name !== 'checkHealth'
    const inTurn: AnyCall = (call, options) =>
      pacer.run(() => (send as AnyCall)(call, options), { operation: name, isRepeatable, signal: options?.signal })
    return [name, inTurn]
  })
  return Object.fromEntries(paced) as C
}
