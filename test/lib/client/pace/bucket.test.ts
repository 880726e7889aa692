/** The rate at which a host takes calls, as its answers show. */
import { expect } from 'chai'
import { letThrough, newBucket, paused, refused, spent, waitMs } from '../../../../lib/client/pace/bucket.ts'

/** Calls one at a time: each is sent and let through at its time. */
const taken = (times: readonly number[], start = newBucket(0)) =>
  times.reduce((bucket, at) => letThrough(spent(bucket, at), at, false), start)

describe('The bucket of a host', () => {
  it('is endless until the host refuses', () => {
    expect(waitMs(taken([0, 0, 0, 1]), 1, 99)).to.equal(0)
  })

  it('fills at the rate at which the host has let calls through', () => {
    const after = refused(taken(Array(12).fill(0)), 1, 1, 59_999)
    expect(after.rate).to.equal(12 / 60_000)
    expect(waitMs(after, 30_000)).to.equal(30_000)
    expect(waitMs(spent(after, 60_000), 60_000)).to.equal(5000)
    expect(waitMs(after, 60_000, 2)).to.equal(10_000)
  })

  it('counts the calls of the last minute alone', () => {
    const busy = taken(Array(50).fill(0))
    expect(refused(taken([60_000], busy), 60_000, 60_000, 10_000).rate).to.equal(51 / 70_000)
    expect(refused(taken([60_001], busy), 60_001, 60_001, 10_000).rate).to.equal(1 / 10_000)
  })

  it('is that of the pause when no call was let through, and at least one call in ten seconds', () => {
    expect(refused(newBucket(0), 0, 0, 5000).rate).to.equal(1 / 5000)
    expect(refused(newBucket(0), 0, 0, 50_000).rate).to.equal(1 / 10_000)
  })

  it('is changed once by the refusals of calls that were under way together', () => {
    const first = refused(taken([0, 0]), 0, 1, 20_000)
    expect(refused(first, 0, 2, 20_000).rate).to.equal(first.rate)
  })

  it('grows a little with each call that waited and passed, once there is a rate', () => {
    expect(letThrough(newBucket(0), 0, true).rate).to.equal(null)
    const limited = refused(newBucket(0), 0, 0, 5000)
    expect(letThrough(limited, 5000, true).rate).to.equal((1 / 5000) * 1.02)
    expect(letThrough(limited, 5000, false).rate).to.equal(1 / 5000)
  })

  it('counts refusals in a row, until a call is let through or none was sent for a minute', () => {
    const twice = paused(paused(newBucket(0), 10, 5000), 6000, 5000)
    expect(twice).to.include({ refusals: 2, refusedSince: 10, at: 11_000 })
    expect(letThrough(twice, 11_000, true).refusals).to.equal(0)
    expect(paused(spent(twice, 71_000), 71_000, 5000)).to.include({ refusals: 3, refusedSince: 10 })
    expect(paused(spent(twice, 71_001), 71_001, 5000)).to.include({ refusals: 1, refusedSince: 71_001 })
    const limited = refused(newBucket(0), 0, 0, 5000)
    expect(refused(spent(limited, 65_001), 65_001, 65_001, 5000)).to.include({ refusals: 1, refusedSince: 65_001 })
  })

  it('keeps the longest pause that was asked for', () => {
    expect(paused(paused(newBucket(0), 0, 9000), 1, 10).at).to.equal(9000)
  })
})
