/** Where a checkbox can be tapped: beyond its box, but never in place of a neighbour. */
import { expect } from 'chai'
import { reachOf } from '../../../server/web/inbox/desk/reach.ts'

const at = (left: number, top: number, page = 1) => ({
  page,
  box: { left, top, right: left + 12, bottom: top + 12 },
})

describe('the reach of a checkbox', () => {
  it('makes it as large as a finger needs when it stands alone', () => {
    expect(reachOf([at(72, 520)], 0, 0.5)).to.equal((44 - 6) / 2)
    expect(reachOf([at(72, 520), at(72, 520, 2)], 0, 0.5), 'beside one on another page').to.equal(19)
  })

  it('ends halfway to the nearest neighbour, above, below and beside', () => {
    for (const neighbour of [at(72, 100), at(72, 140), at(52, 120), at(92, 120)])
      expect(reachOf([at(72, 120), neighbour, at(300, 300)], 0, 0.5)).to.equal(2)
  })

  it('is nothing where fields touch, or where the box is large enough', () => {
    expect(reachOf([at(72, 120), at(72, 132)], 0, 0.5)).to.equal(0)
    expect(reachOf([at(72, 120)], 0, 4)).to.equal(0)
  })
})
