import { expect } from 'chai'
import { retryAfterMs } from '../../lib/retry-after.ts'

describe('the header Retry-After', () => {
  for (const [header, expected] of [
    [undefined, null],
    [['1', '2'], null],
    ['120', 120_000],
    [' 120 ', 120_000],
    ['0', null],
    ['-5', null],
    ['1.5', null],
    ['soon', null],
    ['Mon, 02 Mar 2026 09:01:00 GMT', 60_000],
    ['Mon, 02 Mar 2026 08:00:00 GMT', null],
  ] as const)
    it(`asks for ${expected} ms by ${JSON.stringify(header)}`, () => {
      expect(retryAfterMs(header, Date.parse('2026-03-02T09:00:00Z'))).to.equal(expected)
    })

  it('asks for nothing by a date when the time of the sender is not known', () => {
    expect(retryAfterMs('Mon, 02 Mar 2026 09:01:00 GMT', Number.NaN)).to.equal(null)
    expect(retryAfterMs('60', Number.NaN)).to.equal(60_000)
  })
})
