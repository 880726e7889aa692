/** Collects what several nodes offer to a node that they share, for as long as each of them runs. */
export interface Register<T> {
  /** Returns a function that takes the entry out again. */
  add(entry: T): () => void
  all(): T[]
}

export function createRegister<T>(): Register<T> {
  const entries = new Set<T>()
  return {
    add(entry) {
      entries.add(entry)
      return () => void entries.delete(entry)
    },
    all: () => [...entries],
  }
}
