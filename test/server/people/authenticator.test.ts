import { expect } from 'chai'
import { readable, stepOf, uriOf } from '../../../server/people/second-factor/authenticator.ts'
import { compared, newRecoveryCodes, written } from '../../../server/people/second-factor/recovery-codes.ts'
import { anAuthenticator } from '../../support/service/an-authenticator.ts'

/** RFC 6238, appendix B: seconds, and the last six digits of the code. */
const VECTORS = [
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
] as const
const SECRET = Buffer.from('12345678901234567890')
const at = (seconds: number) => new Date(seconds * 1_000)

describe('a code of an authenticator app', () => {
  it('is that of RFC 6238, here and in the tests', () => {
    for (const [seconds, code] of VECTORS) {
      expect(stepOf(code, SECRET, 0, at(seconds)), code).to.equal(Math.floor(seconds / 30))
      expect(anAuthenticator(readable(SECRET)).code(seconds * 1_000)).to.equal(code)
    }
  })

  it('is right one step before and after its own, and no further', () => {
    const [seconds, code] = VECTORS[2]
    const step = Math.floor(seconds / 30)
    const found = [-60, -30, 0, 30, 60].map((by) => stepOf(code, SECRET, 0, at(seconds + by)))
    expect(found).to.deep.equal([null, step, step, step, null])
  })

  it('is right after the last step that was accepted, and never in it or before', () => {
    const [seconds, code] = VECTORS[2]
    const step = Math.floor(seconds / 30)
    expect([step - 1, step, step + 1].map((last) => stepOf(code, SECRET, last, at(seconds)))).to.deep.equal([
      step,
      null,
      null,
    ])
  })

  it('is six digits', () => {
    for (const code of ['', '5924', '00005924', 'abcdef', '05 471'])
      expect(stepOf(code, SECRET, 0, at(1_111_111_111)), code).to.equal(null)
  })

  it('comes from a secret that is shown as text, and as what an app scans', () => {
    expect(readable(SECRET)).to.equal('GEZD GNBV GY3T QOJQ GEZD GNBV GY3T QOJQ')
    const uri = new URL(uriOf(SECRET, 'ann@willow.example'))
    expect(uri.href).to.match(/^otpauth:\/\/totp\/Countersign:ann%40willow.example\?/)
    expect(uri.searchParams.get('secret')).to.equal('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ')
  })
})

describe('recovery codes', () => {
  it('are ten, and compared without case, spaces, hyphens and letters like digits', () => {
    const codes = newRecoveryCodes((bytes) => new Uint8Array(bytes).fill(1))
    expect(codes.length).to.equal(10)
    expect(written(codes[0]!)).to.equal('11111-11111')
    for (const entered of ['11111-11111', '1111111111', ' lilIL-1111 1'])
      expect(compared(entered), entered).to.equal(codes[0])
    expect(compared('O0o0O-ABCDE')).to.equal('00000abcde')
  })
})
