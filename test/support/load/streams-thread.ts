/** One caller who opens streams of changes without end, in a thread of its own, so that only the service makes others wait. */
import { get } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'

export interface Streaming {
  baseUrl: string
  keys: readonly string[]
  /** How many are opened in all; those that are let in stay open. */
  streams: number
}

const { baseUrl, keys, streams } = workerData as Streaming

function open(key: string): void {
  const headers = { 'x-api-key': key }
  const request = get(`${baseUrl}/admin/v1/changes`, { headers, agent: false }, (response) => {
    parentPort!.postMessage(response.statusCode)
    response.resume().on('error', () => {})
  })
  request.on('error', () => parentPort!.postMessage(0))
}

for (let opened = 0; opened < streams; opened++) {
  open(keys[opened % keys.length]!)
  if (opened % 100 === 99) await pause(50)
}
