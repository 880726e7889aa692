/** One caller who keeps a number of requests under way, each on a connection of its own, in a thread of its own. */
import { get } from 'node:http'
import { workerData } from 'node:worker_threads'

export interface Flood {
  url: string
  key: string
  requests: number
}

const { url, key, requests } = workerData as Flood

/** Asks, and asks again once there is an answer, or none. */
function ask(): void {
  const request = get(url, { headers: { 'x-api-key': key }, agent: false }, (response) => {
    response.resume().on('close', ask)
  })
  request.on('error', () => setTimeout(ask, 10))
}

for (let begun = 0; begun < requests; begun++) ask()
