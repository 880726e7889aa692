/** One answer for all who ask at the same time. */
import { expect } from 'chai'
import { NotInTime, shareAnswer } from '../../lib/share-answer.ts'

describe('A shared answer', () => {
  it('is asked for once at a time, and anew when it has come', async () => {
    let asked = 0
    const ask = shareAnswer(async () => ++asked, 60_000)
    expect(await Promise.all([ask(), ask(), ask()])).to.deep.equal([1, 1, 1])
    expect(await ask()).to.equal(2)
  })

  it('is not awaited beyond its limit, nor asked for again until it has come', async () => {
    let asked = 0
    let answer = (_value: string) => {}
    const ask = shareAnswer(() => {
      asked++
      return new Promise<string>((resolve) => {
        answer = resolve
      })
    }, 1)
    const outcome = () => ask().catch((error: unknown) => (error instanceof NotInTime ? 'not in time' : error))
    expect(await Promise.all([outcome(), outcome()])).to.deep.equal(['not in time', 'not in time'])
    expect(await outcome()).to.equal('not in time')
    expect(asked).to.equal(1)
    answer('late')
    await new Promise(setImmediate)
    void outcome()
    expect(asked).to.equal(2)
    answer('done')
  })

  it('is the error of the question, for all of them', async () => {
    const ask = shareAnswer(() => Promise.reject(new RangeError('gone')), 60_000)
    const outcomes = await Promise.all([ask(), ask()].map((asked) => asked.catch(({ message }: Error) => message)))
    expect(outcomes).to.deep.equal(['gone', 'gone'])
  })
})
