/** Keeps what is needed to send an exchange again: its bytes, which are not shown. In memory only, and only so many of them. */
import type { Exchange } from './exchange.ts'

export interface OriginalRequest {
  is: 'request'
  bytes: number
  /** Without the key. */
  headers: Readonly<Record<string, string>>
  body: Buffer
}

export interface OriginalWebhook {
  is: 'webhook'
  bytes: number
  /** Sends it once more, signed for now, with the same id; null when the receiver's name was not looked up in time. */
  send(replayOf: number): Promise<Exchange | null>
}

export type Original = OriginalRequest | OriginalWebhook

/** Of all organizations together. */
const MOST_BYTES = 32 * 1024 * 1024
/** Counted for each, as well as its body. */
const OVERHEAD_BYTES = 2_048

export interface Originals {
  find(exchangeId: number): Original | undefined
  keep(exchangeId: number, original: Original): void
  forget(exchangeId: number): void
}

/** The oldest are forgotten first. */
export function createOriginals(): Originals {
  const kept = new Map<number, Original>()
  let total = 0
  const sizeOf = ({ bytes }: Original) => bytes + OVERHEAD_BYTES
  const forget = (id: number) => {
    const original = kept.get(id)
    if (!original) return
    kept.delete(id)
    total -= sizeOf(original)
  }
  return {
    find: (id) => kept.get(id),
    forget,
    keep(id, original) {
      kept.set(id, original)
      total += sizeOf(original)
      for (const oldest of kept.keys()) {
        if (total <= MOST_BYTES) break
        forget(oldest)
      }
    },
  }
}
