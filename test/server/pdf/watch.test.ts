import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'chai'
import {
  begin as beginOn,
  createProgress,
  finish,
  type Progress,
  tellPages,
} from '../../../server/pdf/workers/progress.ts'
import { watchJob } from '../../../server/pdf/workers/watch.ts'

const limits = { timeoutMs: 100, pageTimeoutMs: 10, maxGrowthBytes: 2 ** 40 }
const begin = (progress: Progress) => beginOn(progress, 0)

/** A job that begins, and then does nothing until it is ended. */
const endless = (progress: Progress) => async (signal: AbortSignal) => {
  begin(progress)
  await once(signal, 'abort')
  throw new Error('ended')
}

describe('a watched job', () => {
  it('hands back its answer', async () => {
    expect(await watchJob(async () => 7, createProgress(), limits)).to.deep.equal({ handedBack: 7 })
  })

  it('is ended when it takes too long, counted from when it began', async () => {
    const progress = createProgress()
    const start = performance.now()
    expect(await watchJob(endless(progress), progress, limits)).to.deep.equal({ ended: 'too slow' })
    expect(performance.now() - start).to.be.at.least(90)
  })

  it('may take longer when many pages have to be read', async () => {
    const progress = createProgress()
    tellPages(progress, 140)
    const start = performance.now()
    await watchJob(endless(progress), progress, limits)
    expect(performance.now() - start).to.be.greaterThan(490)
  })

  it('is not too slow when it is done, and only its answer has not come yet', async () => {
    const progress = createProgress()
    const late = async (signal: AbortSignal) => {
      begin(progress)
      finish(progress)
      await pause(3 * limits.timeoutMs)
      signal.throwIfAborted()
      return 7
    }
    expect(await watchJob(late, progress, limits)).to.deep.equal({ handedBack: 7 })
  })

  it('is ended when the process grows too much', async () => {
    const progress = createProgress()
    const watched = await watchJob(endless(progress), progress, { ...limits, maxGrowthBytes: -(2 ** 40) })
    expect(watched).to.deep.equal({ ended: 'too large' })
  })

  it('is a crash when its thread ends after it began, and an error of ours when it never began', async () => {
    const crash = (progress: Progress, hasBegun: boolean) =>
      watchJob(
        async () => {
          if (hasBegun) begin(progress)
          throw new Error('worker exited with code: 1')
        },
        progress,
        limits,
      )
    expect(await crash(createProgress(), true)).to.deep.equal({ ended: 'crashed' })
    const error = await crash(createProgress(), false).catch((reason: unknown) => reason)
    expect(error).to.be.instanceOf(Error)
  })

  it('is not to blame when its thread never comes to begin it', async () => {
    const waiting = async (signal: AbortSignal) => {
      await once(signal, 'abort')
      throw new Error('aborted')
    }
    const watched = await watchJob(waiting, createProgress(), { ...limits, starvedAfterMs: 50 })
    expect(watched).to.deep.equal({ ended: 'starved' })
  })

  it('has used too much when its heap is full', async () => {
    const progress = createProgress()
    const full = async () => {
      begin(progress)
      throw Object.assign(new Error('heap'), { code: 'ERR_WORKER_OUT_OF_MEMORY' })
    }
    expect(await watchJob(full, progress, limits)).to.deep.equal({ ended: 'too large' })
  })
})
