/** A thread that asks V8 for its collector of garbage until the number that it shares is not 0. */
import { parentPort, workerData } from 'node:worker_threads'
import { garbageCollector } from '../../lib/at-rest.ts'

parentPort?.postMessage('begun')
const isEnough: Int32Array = workerData
while (Atomics.load(isEnough, 0) === 0) garbageCollector()
