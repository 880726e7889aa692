/** Fields that are added by pressing, without choosing a place: none lies over another one. */
import { expect } from 'chai'
import { type DraftField, fieldAt, freeTop } from '../../../server/web/placing/draft-field.ts'

const page = { number: 1, width: 612, height: 792 }
const [LEFT, TOP] = [72, 72]

describe('a field that is added by pressing', () => {
  it('goes below those that are there, and into the gap that one left', () => {
    const fields: DraftField[] = []
    for (let key = 1; key <= 4; key++)
      fields.push(fieldAt(key, 'DateSigned', page, LEFT, freeTop('DateSigned', page, fields, LEFT, TOP)))
    const tops = fields.map(({ box }) => box.top)
    expect(tops[0]).to.equal(TOP)
    for (const [index, { box }] of fields.entries())
      if (index > 0) expect(box.top).to.be.above(fields[index - 1]!.box.bottom)
    const left = fields.toSpliced(1, 1)
    expect(freeTop('DateSigned', page, left, LEFT, TOP)).to.equal(tops[1])
  })

  it('ignores fields of other pages and beside it, and stays on a page that is full', () => {
    const other = fieldAt(1, 'DateSigned', { ...page, number: 2 }, LEFT, TOP)
    const beside = fieldAt(2, 'DateSigned', page, 400, TOP)
    expect(freeTop('DateSigned', page, [other, beside], LEFT, TOP)).to.equal(TOP)
    const all = { ...fieldAt(3, 'DateSigned', page, LEFT, 0), box: { left: 0, top: 0, right: 612, bottom: 792 } }
    expect(freeTop('DateSigned', page, [all], LEFT, TOP)).to.equal(TOP)
  })
})
