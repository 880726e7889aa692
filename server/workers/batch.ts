/** Asks the store of many things at once: those that come while it is asked go into the next question, so that many share one. */

/**
 * Returns a function that takes an item and resolves with the answer to all that were asked of together, or rejects as they did.
 * @param max how many items are asked of at once at most
 */
export function createBatch<T, Answer = void>(ask: (items: readonly T[]) => Promise<Answer>, max: number) {
  interface Waiting {
    item: T
    resolve(answer: Answer): void
    reject(fault: unknown): void
  }
  let waiting: Waiting[] = []
  let isAsking = false

  async function drain(): Promise<void> {
    if (isAsking) return
    isAsking = true
    // So that everything that ends in this turn of the event loop comes along.
    await new Promise((resolve) => setImmediate(resolve))
    while (waiting.length > 0) {
      const now = waiting.slice(0, max)
      waiting = waiting.slice(max)
      try {
        const answer = await ask(now.map(({ item }) => item))
        for (const { resolve } of now) resolve(answer)
      } catch (fault) {
        for (const { reject } of now) reject(fault)
      }
    }
    isAsking = false
  }

  return (item: T): Promise<Answer> =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject })
      void drain()
    })
}
