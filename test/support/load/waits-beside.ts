/** How long others have to wait for a service while something happens there. */
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

/** Resolves with how long each of their calls took, in ms, sorted. They pause for 5 ms between two. */
export async function waitsBeside(baseUrl: string, work: () => Promise<void>): Promise<number[]> {
  const asking = new Worker(new URL('./asking-thread.ts', import.meta.url), { workerData: { baseUrl, pauseMs: 5 } })
  const waits = once(asking, 'message') as Promise<[number[]]>
  waits.catch(() => {})
  try {
    await work()
    asking.postMessage('over')
    const [all] = await waits
    return all.toSorted((a, b) => a - b)
  } finally {
    await asking.terminate()
  }
}
