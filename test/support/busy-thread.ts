/** A thread that is busy, or asleep, for a while; it begins to be so when it is told its time, and lives on until it is ended. */
import { parentPort } from 'node:worker_threads'
import { ownThread } from '../../server/pdf/workers/thread-wait.ts'

parentPort!.on('message', ({ ms, isAsleep }: { ms: number; isAsleep: boolean }) => {
  const until = performance.now() + ms
  if (isAsleep) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
  while (performance.now() < until);
  parentPort!.postMessage('over')
})
parentPort!.postMessage(ownThread())
