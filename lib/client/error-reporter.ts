/** Tells a handler of errors about them. Nobody is left to be told when the handler itself fails, and it must not end the process. */
export const errorReporter =
  <About extends unknown[]>(onError: ((error: unknown, ...about: About) => unknown) | undefined) =>
  (error: unknown, ...about: About): void => {
    const report = async () => onError?.(error, ...about)
    report().catch(() => {})
  }
