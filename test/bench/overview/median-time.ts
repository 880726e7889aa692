/** How long a piece of work takes when it is done several times. */
import { median } from './row.ts'

/** Median, in milliseconds. */
export async function medianTime(work: () => unknown, times: number): Promise<number> {
  const found: number[] = []
  for (let n = 0; n < times; n++) {
    const began = performance.now()
    await work()
    found.push(performance.now() - began)
  }
  return median(found)
}
