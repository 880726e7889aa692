/** Health checks from time to time, alongside everything else the service does, and how long they took. */
import { setTimeout as pause } from 'node:timers/promises'

/** Begins them. The returned function ends them, and gives the milliseconds of each and how many failed. */
export function watchHealth(baseUrl: string, everyMs: number): () => Promise<{ times: number[]; failed: number }> {
  let isOver = false
  const times: number[] = []
  let failed = 0
  const watching = (async () => {
    while (!isOver) {
      const asked = performance.now()
      const isHealthy = await fetch(`${baseUrl}/health-check`).then(
        async (answer) => {
          await answer.arrayBuffer()
          return answer.ok
        },
        () => false,
      )
      times.push(performance.now() - asked)
      if (!isHealthy) failed++
      await pause(everyMs)
    }
  })()
  return async () => {
    isOver = true
    await watching
    return { times, failed }
  }
}
