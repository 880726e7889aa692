/** A thread that asks V8 for its collector of garbage until the number that it shares is not 0. */
import { parentPort, workerData } from 'node:worker_threads'
import { garbageCollector } from '../../lib/at-rest.ts'

parentPort?.postMessage('begun')
while (Atomics.load(workerData, 0) === 0) garbageCollector()
