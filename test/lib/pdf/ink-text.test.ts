import { expect } from 'chai'
import { inkText, unstampable, unstampableProblem } from '../../../lib/pdf/text/ink-text.ts'

describe('The text of ink', () => {
  it('loses overrides of direction and all that is invisible, but not the joiners that shape letters', () => {
    expect(inkText('abc\u202etxt\u202c.exe')).to.equal('abctxt.exe')
    expect(inkText('❤\ufe0f a\u200bb\u2060c\ufeffd\u00ade \u{e0001}')).to.equal('❤ abcde ')
    expect(inkText('می\u200cخواهم 👩\u200d⚕\ufe0f')).to.equal('می\u200cخواهم 👩\u200d⚕')
  })

  it('is composed, with lines that end in one way and plain spaces', () => {
    expect(inkText('e\u0301\r\nb\rc\td\u0000e\u00a0f\u2028g')).to.equal('é\nb\nc d e f g')
  })
})

describe('What cannot be stamped', () => {
  const ascii = [0x20, 0x7e]

  it('is named once, in the order in which it was typed', () => {
    expect(unstampable('a宀b\u0007宀é', ascii)).to.deep.equal(['‘宀’ (U+5B80)', '‘é’ (U+00E9)'])
    expect(unstampable('a\ud800', ascii)).to.deep.equal(['U+D800'])
  })

  it('is nothing of a text that is covered, nor what is not written at all', () => {
    expect(unstampable('plain\nand \u200d\u202e\ufe0fsimple~', ascii)).to.deep.equal([])
    expect(unstampableProblem('plain', ascii)).to.equal(null)
  })

  it('is looked up to the edges of each range', () => {
    const ranges = [0x61, 0x62, 0x64, 0x64, 0x66, 0x68]
    expect(unstampable('abcdefghi', ranges)).to.deep.equal(['‘c’ (U+0063)', '‘e’ (U+0065)', '‘i’ (U+0069)'])
    expect(unstampable('a', [])).to.deep.equal(['‘a’ (U+0061)'])
  })

  it('is listed only in part where it is a whole script', () => {
    expect(unstampableProblem('абвгдежз', ascii)).to.match(/^text without ‘а’.*‘д’ \(U\+0434\), and 3 more, for which/)
  })
})
