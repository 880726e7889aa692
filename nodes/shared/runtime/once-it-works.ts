/** Does work once for all callers. A failure is not kept: the next caller tries again. */
export interface OnceItWorks<T> {
  /** Starts the work, or joins it when it is under way or done. */
  get(): Promise<T>
  /** The work when it is under way or done; undefined before, and after a failure. */
  readonly current: Promise<T> | undefined
}

export function onceItWorks<T>(work: () => Promise<T>): OnceItWorks<T> {
  let current: Promise<T> | undefined
  return {
    get() {
      current ??= work().catch((failure) => {
        current = undefined
        throw failure
      })
      return current
    },
    get current() {
      return current
    },
  }
}
