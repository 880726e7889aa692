/** Work for all callers of one turn of the event loop. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect } from 'chai'
import { inGroups } from '../../lib/in-groups.ts'

describe('work in groups', () => {
  it('is done once for all who call in one turn, and gives each its own answer', async () => {
    const groups: number[][] = []
    const double = inGroups((all: number[]) => {
      groups.push(all)
      return all.map((given) => given * 2)
    })
    const first = [double(1), double(2)]
    await nextTurn()
    expect(await Promise.all([...first, double(3)])).to.deep.equal([2, 4, 6])
    expect(groups).to.deep.equal([[1, 2], [3]])
  })

  it('fails for all of its callers, and for none who calls later', async () => {
    let failure: Error | null = new Error('no disk')
    const work = inGroups((all: number[]) => {
      if (failure) throw failure
      return all
    })
    const told = await Promise.allSettled([work(1), work(2)])
    expect(told.map((one) => one.status === 'rejected' && one.reason)).to.deep.equal([failure, failure])
    failure = null
    expect(await work(3)).to.equal(3)
  })
})
