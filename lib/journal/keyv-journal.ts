/** A journal in a store that someone brings as a Keyv. */
import type Keyv from 'keyv'
import type { Journal } from './journal.ts'
import { createKeyLock, type KeyLock } from './key-lock.ts'

/** Guarantees that the caller gives about a Keyv used as a journal. */
export interface KeyvJournalOptions {
  /**
   * Keyv cannot write on a condition, so `change` is one step among the journals of this Keyv and nowhere else. True says that no
   * other process, and no other Keyv, writes to this namespace of the store.
   */
  onlyProcess: true
}

/** Journals of one Keyv share its lock, or two of them could change an entry at once. */
const locks = new WeakMap<Keyv, KeyLock>()

/**
 * Returns a journal that keeps its entries in the Keyv.
 * @throws TypeError when the Keyv hides its failures, or may be shared with other processes
 */
export function keyvJournal(keyv: Keyv, options: KeyvJournalOptions): Journal {
  if (options?.onlyProcess !== true)
    throw new TypeError(
      'Keyv cannot write on a condition, so two processes could both hand over the same event, or send the same document. ' +
        'Pass { onlyProcess: true } when no other process uses this store; else use openJournal, or createJournal with a store that can.',
    )
  if (!keyv.throwOnErrors)
    throw new TypeError(
      'This Keyv hides its failures, and a journal that seems empty would let a second task be made. ' +
        'Make it with { throwOnErrors: true }.',
    )
  const lock = locks.get(keyv) ?? createKeyLock()
  locks.set(keyv, lock)
  const set = async (key: string, value: unknown, ttlMs?: number) => {
    // Keyv would leave such a key as it is, and list it as another one.
    if (keyv.namespace && key.startsWith(`${keyv.namespace}:`))
      throw new TypeError(
        `Some keys of this journal begin like its namespace: give the Keyv another namespace than "${keyv.namespace}".`,
      )
    // Keyv says false where the store failed without throwing.
    if (!(await keyv.set(key, value, ttlMs))) throw new Error('The store of the journal did not take the entry.')
  }

  return {
    get: <T>(key: string) => keyv.get<T>(key),
    set: (key, value, ttlMs) => lock(key, () => set(key, value, ttlMs)),
    change: <T>(key: string, decide: (known: T | undefined) => T | undefined, ttlMs?: number) =>
      lock(key, async () => {
        const known = await keyv.get<T>(key)
        const decided = decide(known)
        if (decided !== undefined) await set(key, decided, ttlMs)
        return known
      }),
    async delete(keys) {
      for (const key of [keys].flat()) await lock(key, () => keyv.delete(key))
    },
    async *entries() {
      if (!keyv.iterator) throw new TypeError('This Keyv cannot be walked through; use openJournal, or another store.')
      for await (const [key, value] of keyv.iterator(undefined)) yield [key, value]
    },
    close: () => keyv.disconnect(),
  }
}
