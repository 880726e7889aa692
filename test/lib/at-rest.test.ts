/** Memory that is given back after work. */
import { once } from 'node:events'
import { mock } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { getHeapSpaceStatistics } from 'node:v8'
import { Worker } from 'node:worker_threads'
import { expect } from 'chai'
import { collectGarbage, garbageCollector, memoryAtRest } from '../../lib/at-rest.ts'

const IDLE_MS = 50

const LARGE = 8_000_000

function fillYoungGeneration(): void {
  const kept: object[] = []
  for (let n = 0; n < 1_000_000; n++) kept.push({ n })
}

const youngBytes = (): number =>
  getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')!.space_size

describe('memory at rest', () => {
  let times = 0
  let resting: ReturnType<typeof memoryAtRest>

  beforeEach(() => {
    times = 0
    mock.timers.enable({ apis: ['setTimeout'] })
    resting = memoryAtRest(IDLE_MS, () => void times++)
  })
  afterEach(() => {
    resting.close()
    mock.timers.reset()
  })

  it('is given back once, when no more has come for a while', () => {
    for (let n = 0; n < 6; n++) {
      resting.worked()
      mock.timers.tick(IDLE_MS - 1)
      expect(times).to.equal(0)
    }
    mock.timers.tick(1)
    expect(times).to.equal(1)
    mock.timers.tick(IDLE_MS * 2)
    expect(times).to.equal(1)
  })

  it('is given back again after more work', () => {
    for (const expected of [1, 2]) {
      resting.worked()
      mock.timers.tick(IDLE_MS)
      expect(times).to.equal(expected)
    }
  })

  it('is not given back after it was closed', () => {
    resting.worked()
    resting.close()
    mock.timers.tick(IDLE_MS * 2)
    expect(times).to.equal(0)
  })
})

describe('the collector of garbage', () => {
  it('collects what is held no more, and is not known to other code', async () => {
    const left = new WeakRef({ large: 'text'.repeat(1000) })
    // A reference holds until the turn of the event loop ends in which it was made.
    await pause(1)
    collectGarbage()
    expect(left.deref()).to.equal(undefined)
    expect('gc' in globalThis).to.equal(false)
  })

  it('gives the room for what is short-lived back to the system, too', () => {
    fillYoungGeneration()
    expect(youngBytes()).to.be.above(LARGE)
    collectGarbage()
    expect(youngBytes()).to.be.below(LARGE)
  })

  it('may be missing while another thread asks for its own, and then nothing fails', async () => {
    const isEnough = new Int32Array(new SharedArrayBuffer(4))
    const other = new Worker(new URL('../support/asks-for-collector.ts', import.meta.url), { workerData: isEnough })
    await once(other, 'message')
    for (let n = 0; n < 1000; n++) expect(typeof garbageCollector()).to.be.oneOf(['function', 'undefined'])
    // Terminated in between, it would leave the flag as it is.
    Atomics.store(isEnough, 0, 1)
    await once(other, 'exit')
  })
})
