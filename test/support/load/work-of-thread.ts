/**
 * Returns what gives the processor time of this thread since now, in ms: what the work costs, where the clock on the wall says as much
 * about what else the machine does.
 */
export function workOfThread(): () => number {
  const before = process.threadCpuUsage()
  return () => {
    const { user, system } = process.threadCpuUsage(before)
    return (user + system) / 1000
  }
}
