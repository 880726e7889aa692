import { expect } from 'chai'
import { type Bucket, fullBucket, look, takeOne, takeSome } from '../../../server/domain/delivery/rate.ts'

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

describe('a bucket that instances share', () => {
  const take = (bucket: Bucket, now: number, most = 20) => takeSome(bucket, 60, now, most)

  it('gives slices of whole ones, the last as large as what is left, and then says when there is one', () => {
    const first = take(fullBucket(60, 0), 0)
    expect(first).to.deep.equal({ taken: 20, waitMs: 0, bucket: { left: 40, at: 0 } })
    expect(take({ left: 7.5, at: 0 }, 0)).to.deep.equal({ taken: 7, waitMs: 0, bucket: { left: 0.5, at: 0 } })
    expect(take({ left: 0.5, at: 0 }, 0)).to.deep.equal({ taken: 0, waitMs: 500, bucket: { left: 0.5, at: 0 } })
    expect(take({ left: 0, at: 0 }, 2_000).taken).to.equal(2)
  })

  it('gains nothing from clocks that differ', () => {
    let bucket: Bucket = { left: 0, at: 10_000 }
    for (let n = 0; n < 10; n++) bucket = take(take(bucket, 8_000).bucket, 10_000).bucket
    expect(bucket).to.deep.equal({ left: 0, at: 10_000 })
    expect(take(bucket, 8_000).waitMs).to.equal(3_000)
  })

  it('fills again after a clock that was far ahead', () => {
    const { bucket } = take({ left: 0, at: 3_600_000 }, 1_000)
    expect(take(bucket, 61_000, 60).taken).to.equal(60)
  })
})
