/** Memory that is given back after work. */
import { setTimeout as pause } from 'node:timers/promises'
import { getHeapSpaceStatistics } from 'node:v8'
import { expect } from 'chai'
import { collectGarbage, memoryAtRest } from '../../lib/at-rest.ts'
import { eventually } from '../support/eventually.ts'

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
    resting = memoryAtRest(IDLE_MS, () => void times++)
  })
  afterEach(() => resting.close())

  it('is given back once, when no more has come for a while', async () => {
    for (let n = 0; n < 6; n++) {
      resting.worked()
      await pause(IDLE_MS / 5)
      expect(times).to.equal(0)
    }
    await eventually(() => expect(times).to.equal(1))
    await pause(IDLE_MS * 2)
    expect(times).to.equal(1)
  })

  it('is given back again after more work', async () => {
    for (const expected of [1, 2]) {
      resting.worked()
      await eventually(() => expect(times).to.equal(expected))
    }
  })

  it('is not given back by who has closed', async () => {
    resting.worked()
    resting.close()
    await pause(IDLE_MS * 2)
    expect(times).to.equal(0)
  })

  it('what nobody holds any more is gone, and nobody is left a way to collect garbage', async () => {
    const left = new WeakRef({ large: 'text'.repeat(1000) })
    // A reference holds until the turn of the event loop ends in which it was made.
    await pause(1)
    collectGarbage()
    expect(left.deref()).to.equal(undefined)
    expect('gc' in globalThis).to.equal(false)
  })

  it('the room for what is short-lived goes back to the system, too', () => {
    fillYoungGeneration()
    expect(youngBytes()).to.be.above(LARGE)
    collectGarbage()
    expect(youngBytes()).to.be.below(LARGE)
  })
})
