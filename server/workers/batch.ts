/** Writes small items together: those that come while a write is running go into the next one, so that many share one commit. */

/**
 * Returns a function that takes an item and resolves when it is written, or rejects when the write that it was part of failed.
 * @param max how many items go into one write at most
 */
export function createBatch<T>(write: (items: readonly T[]) => Promise<void>, max: number) {
  interface Waiting {
    item: T
    resolve(): void
    reject(fault: unknown): void
  }
  let waiting: Waiting[] = []
  let isWriting = false

  async function drain(): Promise<void> {
    if (isWriting) return
    isWriting = true
    // So that everything that ends in this turn of the event loop comes along.
    await new Promise((resolve) => setImmediate(resolve))
    while (waiting.length > 0) {
      const now = waiting.slice(0, max)
      waiting = waiting.slice(max)
      try {
        await write(now.map(({ item }) => item))
        for (const { resolve } of now) resolve()
      } catch (fault) {
        for (const { reject } of now) reject(fault)
      }
    }
    isWriting = false
  }

  return (item: T): Promise<void> =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject })
      void drain()
    })
}
