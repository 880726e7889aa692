/** Warns of what senders do, which may happen a thousand times a second: of each kind at once, and then once a minute with a count. */
import type { Clock } from '../../../lib/clock.ts'

export interface RareWarnings<Kind extends string> {
  /** @param values the last ones of a kind are in its warning */
  add(kind: Kind, count: number, values: Record<string, string>): void
  stop(): void
}

const EVERY_MS = 60_000

export function createRareWarnings<Kind extends string>(
  clock: Clock,
  warn: (kind: Kind, values: Record<string, string | number>) => void,
): RareWarnings<Kind> {
  /** How many of each kind came since its last warning. */
  const waiting = new Map<Kind, { count: number; values: Record<string, string>; cancel: () => void }>()

  function begin(kind: Kind): void {
    const cancel = clock.after(EVERY_MS, () => {
      const { count, values } = waiting.get(kind)!
      waiting.delete(kind)
      if (count === 0) return
      warn(kind, { count, ...values })
      begin(kind)
    })
    waiting.set(kind, { count: 0, values: {}, cancel })
  }

  return {
    add(kind, count, values) {
      const known = waiting.get(kind)
      if (known) {
        known.count += count
        known.values = values
        return
      }
      warn(kind, { count, ...values })
      begin(kind)
    },
    stop() {
      for (const { cancel } of waiting.values()) cancel()
      waiting.clear()
    },
  }
}
