/** How many calls of one service are under way at once. */
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { createLimit } from '../../nodes/shared/limit.ts'

describe('the limit of calls', () => {
  it('lets so many run, and the others in the order they came', async () => {
    const limit = createLimit(3)
    const begun: number[] = []
    let running = 0
    let most = 0
    const work = (number: number) => async () => {
      begun.push(number)
      running += 1
      most = Math.max(most, running)
      await sleep(5)
      running -= 1
      return number
    }
    const results = await Promise.all(Array.from({ length: 10 }, (_, number) => limit.run(work(number))))
    expect(most).to.equal(3)
    expect(begun).to.deep.equal([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
    expect(results).to.deep.equal(begun)
  })

  it('gives the place of a failed call to the next', async () => {
    const limit = createLimit(1)
    const failed = limit.run(() => Promise.reject(new Error('no')))
    const next = limit.run(async () => 'next')
    expect(await failed.catch((failure) => failure.message)).to.equal('no')
    expect(await next).to.equal('next')
  })
})
