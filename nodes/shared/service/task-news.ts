/** Passes the news that a task has changed from the nodes that learn of it to those that wait for it. */
export interface TaskNews {
  /** Calls back when a task has changed. Returns a function that removes the listener. */
  listen(listener: NewsListener): () => void
  /** Tells all listeners that a task has changed. Resolves with whether one of them waits for it; never rejects. */
  tell(taskId: number): Promise<boolean>
}

/** Resolves with whether it waits for the task. Must not reject. */
export type NewsListener = (taskId: number) => Promise<boolean>

export function createTaskNews(): TaskNews {
  const listeners = new Set<NewsListener>()
  return {
    listen(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async tell(taskId) {
      const waits = await Promise.all([...listeners].map((listener) => listener(taskId)))
      return waits.includes(true)
    },
  }
}
