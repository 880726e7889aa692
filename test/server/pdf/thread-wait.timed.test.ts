/** How long a thread waits for a processor: by that, a document that is slow is told from a machine that is busy. */
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { expect } from 'chai'
import { begin, createProgress } from '../../../server/pdf/workers/progress.ts'
import { waitedMs } from '../../../server/pdf/workers/thread-wait.ts'
import { watchJob } from '../../../server/pdf/workers/watch.ts'

const MS = 1_000
/** For each processor: with fewer, a thread gets a share that is close to what a job may use before it is too slow. */
const RIVALS = 9
/** Linux 6.18 counts a whole sleep as a wait about once in two thousand times, so the least of several is taken. */
const SLEEPERS = 3

if (process.platform === 'linux')
  describe('a thread that waits for a processor', function () {
    this.timeout(60_000)
    const started: Worker[] = []
    afterEach(() => Promise.all(started.splice(0).map((worker) => worker.terminate())))

    async function aThread(): Promise<{ worker: Worker; thread: number }> {
      const worker = new Worker(new URL('../../support/busy-thread.ts', import.meta.url))
      started.push(worker)
      const [thread] = (await once(worker, 'message')) as [number]
      return { worker, thread }
    }
    const rivals = async () => {
      const threads = await Promise.all(Array.from({ length: RIVALS * availableParallelism() }, aThread))
      for (const { worker } of threads) worker.postMessage({ ms: 60_000 })
    }

    it('is known by how long it waited; those that sleep wait for nothing', async () => {
      const busy = await aThread()
      const asleep = await Promise.all(Array.from({ length: SLEEPERS }, aThread))
      await rivals()
      const all = [busy, ...asleep]
      const before = all.map(({ thread }) => waitedMs(thread))
      const over = all.map(({ worker }) => once(worker, 'message'))
      for (const { worker } of all) worker.postMessage({ ms: MS, isAsleep: worker !== busy.worker })
      await Promise.all(over)
      const [waited, ...slept] = all.map(({ thread }, index) => waitedMs(thread) - before[index]!)
      expect(waited, 'ms that the busy one waited').to.be.within(MS / 2, 2 * MS)
      expect(Math.min(...slept), 'ms that those asleep waited').to.be.below(MS / 4)
    })

    it('has not used up the time of its job, and is given up in the end', async () => {
      const job = async (timeoutMs: number, ms: number, isAsleep = false) => {
        const progress = createProgress()
        const { worker, thread } = await aThread()
        const limits = { timeoutMs, pageTimeoutMs: 0, maxGrowthBytes: 2 ** 40, starvedAfterMs: 3 * MS }
        return watchJob(
          async (signal) => {
            begin(progress, thread)
            worker.postMessage({ ms, isAsleep })
            await Promise.race([once(worker, 'message'), once(signal, 'abort')])
            signal.throwIfAborted()
            return 'done'
          },
          progress,
          limits,
        )
      }
      expect(await job(MS / 2, MS, true)).to.deep.equal({ ended: 'too slow' })
      await rivals()
      expect(await job(MS / 2, MS)).to.deep.equal({ handedBack: 'done' })
      expect(await job(MS / 2, 10 * MS)).to.deep.equal({ ended: 'starved' })
    })

    it('is nobody that the system does not know', () => {
      expect(waitedMs(0)).to.equal(0)
      expect(waitedMs(2 ** 30)).to.equal(0)
    })
  })
