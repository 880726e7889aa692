/** What a journal is: the small memory of the client side that outlives the process. */
import type Keyv from 'keyv'

/** A Keyv store that throws: a journal that fails silently would let a second task be made. */
export type Journal = Keyv

/** A store that can write on a condition, which Keyv itself cannot. */
export interface DecidingStore {
  get(key: string): Promise<unknown>
  /** Writes only where nothing is: of all callers exactly one is told true. */
  add(key: string, value: string, ttl?: number): Promise<boolean>
  /** Replaces a value only if it is still the expected one. */
  replace(key: string, expected: string, value: string, ttl?: number): Promise<boolean>
}
