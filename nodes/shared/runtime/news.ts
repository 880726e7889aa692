/** Passes what one part of a node learns on to all that listen. */
export interface News<T> {
  /** Calls back with each piece of news. Returns a function that removes the listener. */
  listen(listener: (news: T) => void): () => void
  /** Tells all listeners. */
  tell(news: T): void
}

export function createNews<T>(): News<T> {
  const listeners = new Set<(news: T) => void>()
  return {
    listen(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    tell(news) {
      for (const listener of listeners) listener(news)
    },
  }
}
