/** What a journal needs beyond Keyv's own calls: a change decided on what is there, and a typed walk through all entries. */
import type { DecidingStore, Journal } from './journal.ts'

/**
 * Reads an entry, decides, and writes the decision as one step; `undefined` leaves the entry as it is. Returns what was there.
 * One step also against other processes when the journal is a SQLite file, in PostgreSQL or in Redis. With any other store
 * only the lock of the caller's own process makes it one step.
 */
export async function decideEntry<T>(
  journal: Journal,
  key: string,
  decide: (known: T | undefined) => T | undefined,
  ttlMs?: number,
): Promise<T | undefined> {
  const store: unknown = journal.store
  if (!isDeciding(store)) {
    const known = await journal.get<T>(key)
    const decided = decide(known)
    if (decided !== undefined) await journal.set(key, decided, ttlMs)
    return known
  }
  const place = `${journal.namespace}:${key}`
  for (;;) {
    const text = (await store.get(place)) as string | undefined
    const known = text === undefined ? undefined : (await journal.deserialize!<T>(text))?.value
    const decided = decide(known)
    if (decided === undefined) return known
    const next = await journal.serialize!({ value: decided })
    // Somebody else may have written in between: then look again and decide anew.
    if (text === undefined ? await store.add(place, next, ttlMs) : await store.replace(place, text, next, ttlMs))
      return known
  }
}

/** Every living entry of the journal. Entries may be written and removed meanwhile. */
export async function* entriesOf<T>(journal: Journal): AsyncGenerator<[key: string, value: T], void> {
  if (!journal.iterator) throw new TypeError('This store cannot be walked through; use SQLite, Redis or PostgreSQL.')
  for await (const [key, value] of journal.iterator(journal.namespace)) yield [key, value]
}

function isDeciding(store: unknown): store is DecidingStore {
  return typeof store === 'object' && store !== null && 'add' in store && 'replace' in store
}
