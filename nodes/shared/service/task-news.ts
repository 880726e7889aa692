/** Passes the news that a task has changed from the nodes that learn of it to those that wait for it. */
export interface TaskNews {
  /** Calls back when a task has changed. Returns a function that removes the listener. */
  onChange(listener: (taskId: number) => void): () => void
  /** Tells all listeners that a task has changed. */
  wake(taskId: number): void
}

export function createTaskNews(): TaskNews {
  const listeners = new Set<(taskId: number) => void>()
  return {
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    wake(taskId) {
      for (const listener of listeners) listener(taskId)
    },
  }
}
