import { expect } from 'chai'
import { type Bucket, fullBucket, takeOne } from '../../../server/domain/rate.ts'

describe('The rate of a key', () => {
  const take = (bucket: Bucket, now: number) => takeOne(bucket, 60, now)

  it('so many at once as a minute allows, and then one for each part of it', () => {
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
