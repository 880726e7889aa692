import { expect } from 'chai'
import fc from 'fast-check'
import { fitText } from '../../../server/pdf/ink/fit-text.ts'
import { workOfThread } from '../../support/load/work-of-thread.ts'

/** Every character half an em, but for narrow and wide ones. */
const measure = (text: string) => [...text].reduce((sum, c) => sum + (c === 'i' ? 0.25 : c === 'W' ? 0.9 : 0.5), 0)

describe('a text fitted into a box', () => {
  it('never overflows and loses no character, for any text and box', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'i', 'W', ' ', '\n'), maxLength: 400 })
    const room = fc.record({
      width: fc.double({ min: 4, max: 400, noNaN: true }),
      height: fc.double({ min: 4, max: 200, noNaN: true }),
      maxSize: fc.constant(10),
    })
    fc.assert(
      fc.property(text, room, (value, { width, height, maxSize }) => {
        const { lines, size, lineHeight } = fitText(value, { width, height, maxSize }, measure)
        expect(size).to.be.at.most(maxSize)
        expect(lines.length * lineHeight).to.be.at.most(height + 1e-6)
        for (const line of lines) expect(measure(line) * size).to.be.at.most(width + 1e-6)
        expect(lines.join('').replace(/ /g, '')).to.equal(value.replace(/[ \n]/g, ''))
      }),
    )
  })

  it('keeps its size while it fits, and its line breaks', () => {
    const fitted = fitText('one\n\ntwo', { width: 200, height: 40, maxSize: 10 }, measure)
    expect(fitted).to.deep.equal({ lines: ['one', '', 'two'], size: 10, lineHeight: 12.5 })
  })

  it('breaks between words before it shrinks', () => {
    const { lines, size } = fitText('aaaa aaaa aaaa', { width: 45, height: 40, maxSize: 10 }, measure)
    expect(lines).to.deep.equal(['aaaa aaaa', 'aaaa'])
    expect(size).to.equal(10)
  })

  it('fits the longest text the interface allows within a moment', () => {
    const work = workOfThread()
    fitText('word '.repeat(800), { width: 200, height: 40, maxSize: 10 }, measure)
    expect(work()).to.be.lessThan(500)
  })
})
