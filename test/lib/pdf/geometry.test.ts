import { expect } from 'chai'
import fc from 'fast-check'
import { keepOnPage, type PageFrame, toDisplay, toRectangle, toUser } from '../../../lib/pdf/geometry.ts'

const aFrame = (rotate: PageFrame['rotate']): PageFrame => ({
  x0: 36,
  y0: 40,
  x1: 576,
  y1: 750,
  rotate,
  width: rotate % 180 ? 710 : 540,
  height: rotate % 180 ? 540 : 710,
})

describe('places on a page', () => {
  const turns = [0, 90, 180, 270] as const

  for (const rotate of turns) {
    it(`lead to user space and back at ${rotate} degrees`, () => {
      const frame = aFrame(rotate)
      fc.assert(
        fc.property(
          fc.double({ min: -9, max: 9, noNaN: true }),
          fc.double({ min: -9, max: 9, noNaN: true }),
          (x, y) => {
            const [bx, by] = toDisplay(frame, toUser(frame, [x, y]))
            expect(bx).to.be.closeTo(x, 1e-9)
            expect(by).to.be.closeTo(y, 1e-9)
          },
        ),
      )
    })
  }

  it('puts the top left of the displayed page at the right corner of the crop box', () => {
    const corners = turns.map((rotate) => toUser(aFrame(rotate), [0, 0]))
    expect(corners).to.deep.equal([
      [36, 750],
      [36, 40],
      [576, 40],
      [576, 750],
    ])
  })

  it('sorts the corners of a box again', () => {
    for (const rotate of turns) {
      const { x0, y0, x1, y1 } = toRectangle(aFrame(rotate), { left: 10, top: 20, right: 40, bottom: 35 })
      expect([x1 - x0, y1 - y0]).to.deep.equal(rotate % 180 ? [15, 30] : [30, 15])
    }
  })

  it('moves a box onto the page, and cuts what is larger than the page', () => {
    const page = { width: 100, height: 80 }
    expect(keepOnPage({ left: 90, top: 75, right: 120, bottom: 85 }, page)).to.deep.equal({
      left: 70,
      top: 70,
      right: 100,
      bottom: 80,
    })
    expect(keepOnPage({ left: -5, top: -5, right: 195, bottom: 35 }, page)).to.deep.equal({
      left: 0,
      top: 0,
      right: 100,
      bottom: 40,
    })
  })
})
