/** Somebody who asks for the health of a service again and again, in a thread of its own, so that only the service makes it wait. */
import { setTimeout as pause } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'

const { baseUrl, pauseMs } = workerData as { baseUrl: string; pauseMs: number }
const waits: number[] = []
let isOver = false
parentPort!.once('message', () => {
  isOver = true
})

while (!isOver) {
  const asked = performance.now()
  const { status } = await fetch(`${baseUrl}/health-check`)
  if (status !== 200) throw new Error(`The health check was answered with ${status}.`)
  waits.push(performance.now() - asked)
  await pause(pauseMs)
}
parentPort!.postMessage(waits)
