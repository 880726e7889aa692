/** A journal: what the client side must remember beyond its process, by key, within one namespace. */
import type { JournalStore } from './journal-store.ts'

/**
 * Values are what JSON can hold. Every method rejects when the place behind it fails: a journal that failed silently would let
 * a second task be made.
 */
export interface Journal {
  /** Undefined when there is none, or its time is over. */
  get<T>(key: string): Promise<T | undefined>
  /** `ttlMs`: milliseconds until the entry is forgotten. Optional; never by default. */
  set(key: string, value: unknown, ttlMs?: number): Promise<void>
  /**
   * Writes on a condition: reads an entry, decides, and writes the decision as one step; `undefined` leaves the entry as it is.
   * Returns what was there before. `decide` is called again when another caller has written in between, so it must be pure.
   */
  change<T>(key: string, decide: (known: T | undefined) => T | undefined, ttlMs?: number): Promise<T | undefined>
  /** Removes one entry or several; those that are not there count as removed. */
  delete(keys: string | readonly string[]): Promise<void>
  /** Every living entry. Entries may be written and removed in the meantime. */
  entries<T>(): AsyncIterable<[key: string, value: T]>
  /** Closes the store behind it. It cannot be used after that. */
  close(): Promise<void>
}

/** Returns a journal in the store. Its `change` is one step for all who share the store, other processes included. */
export function createJournal(store: JournalStore): Journal {
  return {
    async get<T>(key: string) {
      const text = await store.get(key)
      return text === undefined ? undefined : (JSON.parse(text) as T)
    },
    set: (key, value, ttlMs) => store.set(key, JSON.stringify(value), ttlMs),
    async change<T>(key: string, decide: (known: T | undefined) => T | undefined, ttlMs?: number) {
      for (;;) {
        const text = await store.get(key)
        const known = text === undefined ? undefined : (JSON.parse(text) as T)
        const decided = decide(known)
        if (decided === undefined) return known
        const next = JSON.stringify(decided)
        const isWritten =
          text === undefined ? await store.add(key, next, ttlMs) : await store.replace(key, text, next, ttlMs)
        if (isWritten) return known
      }
    },
    async delete(keys) {
      const all = [keys].flat()
      if (all.length > 0) await store.delete(all)
    },
    async *entries<T>(): AsyncGenerator<[string, T]> {
      for await (const [key, text] of store.entries()) yield [key, JSON.parse(text) as T]
    },
    close: () => store.close(),
  }
}
