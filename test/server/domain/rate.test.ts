import { expect } from 'chai'
import { type Bucket, fullBucket, look, takeOne } from '../../../server/domain/delivery/rate.ts'

describe('The rate of a key', () => {
  const take = (bucket: Bucket, now: number) => takeOne(bucket, 60, now)

  it('allows a whole minute’s worth at once, and then one for each fraction of the minute', () => {
    let bucket = fullBucket(60, 0)
    for (let n = 0; n < 60; n++) {
      const taken = take(bucket, 0)
      expect(taken.waitMs).to.equal(0)
      bucket = taken.bucket
    }
    expect(take(bucket, 0).waitMs).to.equal(1_000)
    expect(take(bucket, 400).waitMs).to.equal(600)
    expect(take(bucket, 1_000).waitMs).to.equal(0)
  })

  it('waiting longer than a minute saves nothing up', () => {
    const { bucket } = take(fullBucket(60, 0), 10 * 60_000)
    expect(bucket.left).to.equal(59)
  })

  it('a clock that goes back neither fills nor empties', () => {
    const { bucket } = take({ left: 2, at: 5_000 }, 1_000)
    expect(bucket).to.deep.equal({ left: 1, at: 1_000 })
  })
})

describe('what a bucket holds', () => {
  const at = (left: number, now: number) => look({ left, at: 0 }, 60, now)
  it('fills evenly up to a minute’s worth, and says when there will be one', () => {
    expect(at(0, 0)).to.deep.equal({ whole: 0, waitMs: 1000 })
    expect(at(0, 400)).to.deep.equal({ whole: 0, waitMs: 600 })
    expect(at(0, 2_500)).to.deep.equal({ whole: 2, waitMs: 0 })
    expect(at(0, 600_000)).to.deep.equal({ whole: 60, waitMs: 0 })
    expect(at(3, -5_000), 'a clock that was set back').to.deep.equal({ whole: 3, waitMs: 0 })
  })
})
