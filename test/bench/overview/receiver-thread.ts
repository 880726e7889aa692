/** A receiver on a thread of its own, so that it does not take time from the sender: answers 204, and tells when each event came. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { parentPort } from 'node:worker_threads'

let came: [string, number][] = []
const server = createServer((request, response) => {
  came.push([String(request.headers['x-service-event-id']), performance.timeOrigin + performance.now()])
  request.resume().on('end', () => response.writeHead(204).end())
})
server.listen(0, '127.0.0.1', () => parentPort!.postMessage({ port: (server.address() as AddressInfo).port }))
parentPort!.on('message', () => {
  parentPort!.postMessage({ came })
  came = []
})
