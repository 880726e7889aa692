/** Reads what a Catch node reports about a failed message. */
import type { Message } from '../runtime/node-red.ts'

/** Failures that the same message meets again, whatever the settings and the host. */
const OF_THE_MESSAGE: readonly unknown[] = ['refused', 'held']

/** Returns as sentences why a message failed permanently, by its own fault; null when it did not. */
export function faultsOf({ error, errors }: Message): string[] | null {
  if (typeof error !== 'object' || error === null) return null
  const { message, cause } = error as { message?: unknown; cause?: { kind?: unknown; retryable?: unknown } }
  if (!OF_THE_MESSAGE.includes(cause?.kind) || cause?.retryable !== false) return null
  return Array.isArray(errors) && errors.length > 0 ? errors.map(String) : [String(message)]
}
