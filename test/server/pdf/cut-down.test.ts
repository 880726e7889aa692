/** Fonts that are cut down, held byte for byte against the library that cuts them down by decoding them. */
import fontkit from '@cantoo/fontkit'
import { expect } from 'chai'
import { cutDown } from '../../../server/pdf/ink/letters/cut-down.ts'
import { type FontStyle, fontFiles, fontProgram } from '../../../server/pdf/ink/letters/font-files.ts'

const styles: readonly FontStyle[] = ['text', 'strong', 'hand']
const files = new Map(styles.flatMap(fontFiles).map((file) => [file.path, file]))

describe('a font that is cut down', () => {
  for (const file of files.values()) {
    it(`has the bytes that fontkit gives ${file.path}`, () => {
      const program = fontProgram(file)
      const parsed = fontkit.create(Buffer.from(program))
      if (!('numGlyphs' in parsed)) throw new Error('more than one font')
      const count = parsed.numGlyphs
      // The last glyphs too, which may share an advance; 37 shares no factor with usual counts, so that neighbours come apart.
      const glyphs = [...Array.from({ length: 400 }, (_, i) => (37 * i) % count), count - 1, count - 2, 3]
      const [expected, own] = [parsed.createSubset(), cutDown(program)]
      for (const glyph of glyphs) expect(own.include(glyph)).to.equal(expected.includeGlyph(glyph))
      expect(Buffer.from(own.program()).equals(Buffer.from(expected.encode()))).to.equal(true)
    })
  }

  it('holds the glyphs that others are put together from', () => {
    const [file] = fontFiles('text')
    const own = cutDown(fontProgram(file!))
    const parsed = fontkit.create(Buffer.from(fontProgram(file!)))
    if (!('glyphForCodePoint' in parsed)) throw new Error('more than one font')
    own.include(parsed.glyphForCodePoint('Ä'.codePointAt(0)!)!.id)
    const cut = fontkit.create(Buffer.from(own.program()))
    expect('numGlyphs' in cut && cut.numGlyphs).to.be.greaterThan(2)
  })

  it('is refused where a table is missing', () => {
    const program = Buffer.from(fontProgram(fontFiles('text')[0]!))
    program.write('glyX', program.indexOf('glyf', 0, 'latin1'), 'latin1')
    expect(() => cutDown(program).program()).to.throw('no table glyf')
  })
})
