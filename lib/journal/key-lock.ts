/** Runs work one at a time per key, in the order of the calls, inside this process. Knows nothing of other processes. */
export type KeyLock = <T>(key: string, work: () => Promise<T>) => Promise<T>

export function createKeyLock(): KeyLock {
  const last = new Map<string, Promise<unknown>>()
  return async (key, work) => {
    const turn = (last.get(key) ?? Promise.resolve()).then(work)
    // The next in line waits for the end, however it came.
    const ended = turn.catch(() => {})
    last.set(key, ended)
    try {
      return await turn
    } finally {
      if (last.get(key) === ended) last.delete(key)
    }
  }
}
