/** Addresses that may be those of an account, and the one spelling of each. */
import { expect } from 'chai'
import * as fc from 'fast-check'
import { emailOf } from '../../../server/domain/email.ts'

describe('an e-mail address', () => {
  it('is compared without regard to the case of ASCII letters and to blanks around it', () => {
    expect(emailOf(' Mike.Olsen+x@Hospital.EXAMPLE\n')).to.equal('mike.olsen+x@hospital.example')
  })

  it('is never made of other letters: each becomes itself, or there is no address', () => {
    const folding = [
      '\u212a',
      '\u0130',
      '\u0131',
      '\u017f',
      '\uff2b',
      '\u00df',
      '\u1e9e',
      '\u0000',
      '\u00a0',
      '\u200b',
      '\ufeff',
    ]
    for (const letter of folding) {
      expect(emailOf(`mi${letter}e@hospital.example`), letter).to.equal(null)
      expect(emailOf(`mike@hospital.example${letter}`), letter).to.equal(null)
    }
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (text) => {
        const address = emailOf(text)
        if (address === null) return
        expect(Buffer.from(address, 'latin1').toString('latin1')).to.equal(address)
        expect(address).to.match(/^[!-@[-~]+$/)
      }),
    )
  })

  it('has one sign before its domain, and is of a length that mail systems take', () => {
    for (const text of [
      '',
      'mike',
      '@hospital.example',
      'mike@',
      'a@b@c',
      'a b@c.example',
      `${'a'.repeat(65)}@c.example`,
      `a@${'b'.repeat(254)}`,
    ])
      expect(emailOf(text), text).to.equal(null)
  })
})
