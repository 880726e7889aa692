/** Adds up what the parts of a piece of work cost, in processor time of the whole process: other work on the machine counts less. */
import { median } from '../overview/row.ts'

export interface PhaseClock {
  /** Does a part of the work, and notes what it costs. */
  phase<T>(name: string, work: () => Promise<T> | T): Promise<T>
  /** The median of each part, in milliseconds, in the order in which they first came. */
  medians(): Map<string, number>
}

/** What runs before is compiled by then, as in a service that has been at work for a while. */
const WARM_UP = 60
const RUNS = 25

export async function inPhases(work: (clock: PhaseClock) => Promise<unknown>): Promise<Map<string, number>> {
  const costs = new Map<string, number[]>()
  const clock: PhaseClock = {
    async phase(name, part) {
      const before = process.cpuUsage()
      const result = await part()
      const { user, system } = process.cpuUsage(before)
      costs.set(name, [...(costs.get(name) ?? []), (user + system) / 1000])
      return result
    },
    medians: () => new Map([...costs].map(([name, values]) => [name, median(values)])),
  }
  for (let run = 0; run < WARM_UP; run++) await work(clock)
  costs.clear()
  for (let run = 0; run < RUNS; run++) await work(clock)
  return clock.medians()
}
