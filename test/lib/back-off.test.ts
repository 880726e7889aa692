import { expect } from 'chai'
import { grown, honoured, SERVICE_BACK_OFF, spread } from '../../lib/back-off.ts'

describe('a pause before the next try', () => {
  it('grows with each failure, up to the longest', () => {
    const pauses = [1, 2, 3, 4, 5, 6, 7, 8, 5000].map((failures) => grown(SERVICE_BACK_OFF, failures))
    expect(pauses).to.deep.equal([1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000, 60_000])
    expect(grown({ firstMs: 100, longestMs: 1000, growth: 3 }, 3)).to.equal(900)
  })

  it('is spread by a fifth on either side', () => {
    expect([0, 0.5, 1].map((random) => spread(1000, random))).to.deep.equal([800, 1000, 1200])
  })

  for (const [asked, random, expected, why] of [
    [null, 0, 800, 'nothing was asked for'],
    [500, 0, 1000, 'less was asked for than the pause'],
    [5000, 0, 5000, 'what was asked for, and no sooner'],
    [5000, 1, 6000, 'spread upwards only'],
    [90_000, 0, 60_000, 'not beyond the longest'],
  ] as const)
    it(`is ${expected} ms where ${asked} were asked for, at random ${random}: ${why}`, () => {
      expect(honoured(1000, asked, 60_000, random)).to.equal(expected)
    })
})
