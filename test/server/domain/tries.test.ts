/** How failed tries make further ones wait. */
import { expect } from 'chai'
import { limited, type Pace, slowed, type Tries } from '../../../server/domain/tries.ts'

const triedAt = (pace: Pace, times: readonly number[]): Tries =>
  times.reduce<Tries | null>((before, at) => pace(before, at), null)!

describe('failed tries', () => {
  it('are counted in a window, which the first one opens', () => {
    const pace = limited(3, 1_000)
    expect(triedAt(pace, [10, 20]).waitUntil).to.equal(null)
    expect(triedAt(pace, [10, 20, 30])).to.deep.equal({ count: 3, firstAt: 10, waitUntil: 1_010, endsAt: 1_010 })
  })

  it('wait twice as long each time after those that are free, and never longer than the longest', () => {
    const pace = slowed(2, 900_000, 5_000)
    const waits = Array.from({ length: 6 }, (_, n) => triedAt(pace, Array(n + 1).fill(0)).waitUntil)
    expect(waits).to.deep.equal([null, 1_000, 2_000, 4_000, 5_000, 5_000])
  })

  it('keep that pace however many there are, and are forgotten after a quiet time', () => {
    const times = Array.from({ length: 5_000 }, (_, n) => n)
    expect(triedAt(slowed(2, 900_000, 5_000), times)).to.include({ waitUntil: 9_999, endsAt: 904_999 })
  })
})
