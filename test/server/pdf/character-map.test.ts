/** The characters of each font that ink is written with, held against what the library that cuts fonts down finds in it. */
import fontkit from '@cantoo/fontkit'
import { expect } from 'chai'
import { characterRanges } from '../../../server/pdf/ink/letters/character-map.ts'
import { facesOf } from '../../../server/pdf/ink/letters/face.ts'
import { type FontStyle, fontFiles, fontMap, fontProgram } from '../../../server/pdf/ink/letters/font-files.ts'

const styles: readonly FontStyle[] = ['text', 'strong', 'hand']
const files = new Map(styles.flatMap(fontFiles).map((file) => [file.path, file]))
/** Ends the list in fonts of the older form, and is no character. */
const NO_CHARACTER = 0xffff

describe('the characters of a font', () => {
  for (const file of files.values()) {
    it(`are read from ${file.path}`, () => {
      const program = fontProgram(file)
      const parsed = fontkit.create(Buffer.from(program))
      const expected = 'characterSet' in parsed ? parsed.characterSet.filter((code) => code !== NO_CHARACTER) : []
      const read = characterRanges(program).flatMap(([first, last]) =>
        Array.from({ length: last - first + 1 }, (_, i) => first + i),
      )
      expect(read.length).to.be.greaterThan(50)
      expect(
        Buffer.from(Uint32Array.from(read).buffer).equals(Buffer.from(Uint32Array.from(expected).buffer)),
      ).to.equal(true)
      expect(characterRanges(fontMap(file)), 'from the part of it that says so').to.deep.equal(characterRanges(program))
    })
  }

  it('are read without unpacking the rest of a packed font, which comes when something is written with it', () => {
    const packed = [...files.values()].find(({ path }) => path.endsWith('.woff'))!
    const face = facesOf('text').find(({ name }) => name === packed.path)!
    expect(face.characters.size).to.be.greaterThan(1_000)
    expect(fontMap(packed).length).to.be.below(face.program.length / 100)
    expect(face.parsed.unitsPerEm).to.be.greaterThan(0)
  })

  it('are not guessed where the font has no map of them', () => {
    const program = Buffer.from(fontProgram([...files.values()][0]!))
    program.write('glyX', program.indexOf('cmap', 0, 'latin1'), 'latin1')
    expect(() => characterRanges(program)).to.throw('no cmap table')
  })
})
