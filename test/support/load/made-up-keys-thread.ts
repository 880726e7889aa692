/** Strangers who keep a number of requests under way, each with another key that is made up, in a thread of its own. */
import { randomBytes } from 'node:crypto'
import { get } from 'node:http'
import { parentPort, workerData } from 'node:worker_threads'
import { makeKey } from '../../../server/keys/api-key.ts'

export interface MadeUp {
  url: string
  atOnce: number
}

const { url, atOnce } = workerData as MadeUp

function ask(): void {
  const { key } = makeKey('test', randomBytes)
  const request = get(url, { headers: { 'x-api-key': key }, agent: false }, (response) => {
    parentPort!.postMessage(response.statusCode)
    response.resume().on('close', ask)
  })
  request.on('error', () => setTimeout(ask, 10))
}

for (let begun = 0; begun < atOnce; begun++) ask()
