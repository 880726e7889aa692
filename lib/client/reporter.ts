/**
 * Returns a function that tells a listener of something. What the listener itself throws is dropped: no one is left to be
 * told, and it must not end the process.
 */
export const reporter =
  <Told extends unknown[]>(listener: ((...told: Told) => unknown) | undefined) =>
  (...told: Told): void => {
    const report = async () => listener?.(...told)
    report().catch(() => {})
  }
