import { expect } from 'chai'
import { MAX_RETRY_AFTER_MS, RETRY_DELAYS_MS } from '../../../server/choices.ts'
import { retryDelay } from '../../../server/domain/delivery/retry.ts'

const POLICY = { delaysMs: RETRY_DELAYS_MS, maxRetryAfterMs: MAX_RETRY_AFTER_MS }
const HOUR = 3_600_000
const span = (random: number, asked: number | null = null) =>
  RETRY_DELAYS_MS.reduce((sum, _, index) => sum + retryDelay(POLICY, index + 1, random, asked)!, 0) / HOUR

describe('the schedule of a delivery', () => {
  it('has twelve attempts in 75.7 hours, 90.9 with all jitter upward', () => {
    expect(span(0.5)).to.be.closeTo(75.7, 0.05)
    expect(span(1)).to.be.closeTo(90.9, 0.05)
    expect(span(0)).to.be.closeTo(60.6, 0.05)
    expect(retryDelay(POLICY, 12, 0.5)).to.equal(null)
  })

  it('spans 129 hours at most when a receiver asks for more each time', () => {
    expect(span(1, Number.MAX_SAFE_INTEGER)).to.be.closeTo(129, 0.5)
  })

  for (const [attempt, random, asked, expected, why] of [
    [1, 0, null, 4_000, 'a fifth less'],
    [1, 0.5, null, 5_000, 'as it stands'],
    [1, 1, null, 6_000, 'a fifth more'],
    [1, 0, 1_000, 5_000, 'asked for less: never sooner than the schedule'],
    [1, 0, 5_000, 5_000, 'asked for just as much: never sooner than asked'],
    [1, 0, 40_000, 40_000, 'asked for more, within a minute'],
    [1, 1, 40_000, 48_000, 'spread upwards only'],
    [1, 0, 600_000, 60_000, 'not beyond a minute'],
    [3, 0, 600_000, 240_000, 'not beyond twice the delay'],
    [11, 0, 10 * 24 * HOUR, 24 * HOUR, 'not beyond a day'],
  ] as const)
    it(`attempt ${attempt}, random ${random}, Retry-After ${asked}: ${expected} ms (${why})`, () => {
      expect(retryDelay(POLICY, attempt, random, asked)).to.equal(expected)
    })
})
