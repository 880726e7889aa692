/** A place for sealed documents alongside the database: a bucket of an object storage. It knows names and bytes, and nothing of what is in them. */

export interface Bucket {
  /** Resolves when all of it is kept. */
  put(name: string, bytes: Uint8Array): Promise<void>
  /** Null when there is nothing of this name. Reads no more than `bytes` and a little. */
  get(name: string, bytes: number): Promise<Buffer | null>
  has(name: string): Promise<boolean>
  /** Also resolves when there is nothing of this name. */
  remove(name: string): Promise<void>
  close(): void
}
