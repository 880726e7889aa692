/** Nothing is done for pages while none is open. */
import { mock } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { expect } from 'chai'
import { whileFollowed } from '../../../server/workers/while-followed.ts'

describe('What is done for open pages', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setInterval'] }))
  afterEach(() => mock.timers.reset())

  it('is done in time while there is one, and ends with the last', () => {
    const done: string[] = []
    const timers = whileFollowed([1_000, () => done.push('second')], [5_000, () => done.push('fifth')])
    mock.timers.tick(10_000)
    expect(done).to.deep.equal([])
    timers.begin()
    // Of a second page, which needs no more than the first.
    timers.begin()
    mock.timers.tick(5_000)
    expect(done).to.have.members(['second', 'second', 'second', 'second', 'second', 'fifth'])
    timers.end()
    mock.timers.tick(10_000)
    expect(done).to.have.length(6)
    timers.begin()
    mock.timers.tick(1_000)
    expect(done).to.have.length(7)
  })

  it('waits for a round that takes longer than its rhythm', async () => {
    let begun = 0
    const end: (() => void)[] = []
    const timers = whileFollowed([
      1_000,
      () => {
        begun++
        return new Promise<void>((resolve) => end.push(resolve))
      },
    ])
    timers.begin()
    mock.timers.tick(10_000)
    expect(begun).to.equal(1)
    for (const resolve of end.splice(0)) resolve()
    await turn()
    mock.timers.tick(10_000)
    expect(begun).to.equal(2)
    timers.end()
  })
})
