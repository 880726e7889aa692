/** Does something once for all who ask. A failure is not kept: the next who asks tries again. */
export interface OnceItWorks<T> {
  /** Starts the work, or joins what is under way or done. */
  get(): Promise<T>
  /** What was started and has not failed. */
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
