import { expect } from 'chai'
import { characterCount, firstCharacters } from '../../../lib/contract/characters.ts'

describe('The characters of a text', () => {
  it('an emoji counts as one', () => {
    expect(characterCount('a😀b')).to.equal(3)
  })

  it('the first of them never end in half an emoji', () => {
    expect(firstCharacters('a😀b', 2)).to.equal('a😀')
    expect(firstCharacters('😀😀', 2)).to.equal('😀😀')
    expect(firstCharacters('abc', 3)).to.equal('abc')
  })
})
