/** Writes small things together: what comes while a write is running goes with the next one, so that many share one commit. */

/** Resolves when what was given is written; rejects when the write that held it failed. `max` things go into one write. */
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
    // Let everything that ends in this turn of the event loop come along.
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
