/**
 * Returns a function that tells `onError` of an error. Whatever the handler itself throws is dropped: nobody is left to be told,
 * and it must not end the process.
 */
export const errorReporter =
  <About extends unknown[]>(onError: ((error: unknown, ...about: About) => unknown) | undefined) =>
  (error: unknown, ...about: About): void => {
    const report = async () => onError?.(error, ...about)
    report().catch(() => {})
  }
