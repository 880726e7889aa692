/**
 * Where a journal lives: texts by key, in one namespace of a database. Every method rejects when the database fails. A time to
 * live is in milliseconds; without one an entry stays.
 */
export interface JournalStore {
  /** Undefined when there is none, or its time is over. */
  get(key: string): Promise<string | undefined>
  /** Writes, replacing what stood there. */
  set(key: string, text: string, ttlMs?: number): Promise<void>
  /** Writes only where nothing is: of all callers, other processes included, exactly one gets true. */
  add(key: string, text: string, ttlMs?: number): Promise<boolean>
  /** Writes only while `expected` still holds: of all callers, other processes included, exactly one gets true. */
  replace(key: string, expected: string, text: string, ttlMs?: number): Promise<boolean>
  /** Removes the entries; those that are not there count as removed. */
  delete(keys: readonly string[]): Promise<void>
  /** Every living entry. Entries may be written and removed in the meantime. */
  entries(): AsyncIterable<[key: string, text: string]>
  /** Gives up what the store has opened. It cannot be used after that. */
  close(): Promise<void>
}
