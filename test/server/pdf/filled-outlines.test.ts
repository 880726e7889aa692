import { expect } from 'chai'
import type { Outline } from '../../../lib/pdf/fonts/letter-outlines.ts'
import { SPAN, whileFilled } from '../../../server/pdf/compare/filled-outlines.ts'

/** A square between half of the em and all of it, anticlockwise. */
const square = [0, 0.5, 0.5, 1, 1, 0.5, 1, 1, 1, 1, 0.5, 1, 4]
const clockwise = [0, 0.5, 0.5, 1, 0.5, 1, 1, 1, 1, 1, 1, 0.5, 4]
const [WIDTH, HEIGHT] = [4 * SPAN, 20]

const at = (x: number, y: number, more: Partial<Outline> = {}): Outline => ({
  commands: square,
  x,
  y,
  size: 8,
  isSign: false,
  ...more,
})

const fill = (...outlines: Outline[]) =>
  whileFilled(outlines, WIDTH, HEIGHT, ({ covered, isDrawn }) => ({ covered: [...covered], isDrawn: [...isDrawn] }))

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)

describe('filled outlines', () => {
  it('cover the pixels within them, and parts of those on their edges', () => {
    const { covered } = fill(at(2.25, 3))
    const row = covered.slice(10 * WIDTH, 10 * WIDTH + 12)
    expect(row).to.deep.equal([0, 0, 0, 0, 0, 0, 0.75, 1, 1, 1, 0.25, 0])
    expect(sum(covered)).to.be.closeTo(16, 1e-4)
  })

  it('are marked wherever there may be something, within a wide letter too', () => {
    const { covered, isDrawn } = fill(at(-22, -30, { size: 64 }))
    for (const [pixel, value] of covered.entries()) {
      const span = Math.floor(pixel / WIDTH) * 4 + Math.floor((pixel % WIDTH) / SPAN)
      if (value > 0) expect(isDrawn[span]).to.equal(1)
    }
    expect(isDrawn.slice(0, 4)).to.deep.equal([1, 1, 1, 0])
  })

  it('take curves of both kinds for what they are', () => {
    const quadratic = [0, 0, 0, 3, 0.5, 1, 1, 0, 4]
    const cubic = [0, 0, 0, 2, 1 / 3, 2 / 3, 2 / 3, 2 / 3, 1, 0, 4]
    const [one, other] = [quadratic, cubic].map((commands) => fill(at(10, 2, { commands, size: 16 })).covered)
    for (const [pixel, value] of one!.entries()) expect(value).to.be.closeTo(other![pixel]!, 1e-5)
    // Two thirds of the square above the curve's ends and its middle.
    expect(sum(one!)).to.be.closeTo((16 * 8 * 2) / 3, 3)
  })

  it('do not cancel each other out where a sign lies over a letter', () => {
    const letters = fill(at(2, 3), at(4, 3, { commands: clockwise }))
    const sign = fill(at(2, 3), at(4, 3, { commands: clockwise, isSign: true }))
    expect([sum(letters.covered), sum(sign.covered)]).to.deep.equal([16, 24])
  })

  it('leave nothing behind for the next ones', () => {
    fill(at(2, 3), at(30, 5))
    expect(sum(fill().covered)).to.equal(0)
    expect(() => whileFilled([at(2, 3)], WIDTH, HEIGHT, () => expect.fail('thrown'))).to.throw('thrown')
    expect(sum(fill().covered)).to.equal(0)
  })
})
