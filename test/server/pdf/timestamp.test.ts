/** Timestamps of a real authority in the seal of a document: which answers are taken, and what verification makes of them. */
import { expect } from 'chai'
import type { SealKey } from '../../../lib/pdf/seal/seal-key.ts'
import { verifySealed } from '../../../lib/pdf/seal/verify.ts'
import { completeDocument } from '../../../server/pdf/complete.ts'
import { createSealCertificate } from '../../../server/pdf/seal/certificate.ts'
import { attachTimestamp } from '../../../server/pdf/seal/timestamp/attach.ts'
import { aCompletion } from '../../support/pdf/a-completion.ts'
import { aPdf } from '../../support/pdf/a-pdf.ts'
import { installed, pdfsigAnswers, qpdfComplaints } from '../../support/seen/external-checks.ts'
import { textOf } from '../../support/seen/text-of.ts'
import {
  aTimestampAuthority,
  type Conduct,
  type TimestampAuthority,
} from '../../support/timestamps/a-timestamp-authority.ts'

const NONCE = Buffer.from('4102030405060708', 'hex')
/** The object identifier before the token, in DER. */
const TOKEN_TYPE = '060b2a864886f70d010910020e'
/** After the end of every certificate here. */
const LATER = new Date('2050-01-01T00:00:00Z')

describe('the timestamp of a seal', function () {
  if (!installed.openssl) return void it('needs openssl')
  this.timeout(30_000)
  let authority: TimestampAuthority
  let other: TimestampAuthority
  let seal: SealKey
  let sealed: Buffer
  let query: Uint8Array
  before(async () => {
    authority = await aTimestampAuthority()
    other = await aTimestampAuthority()
    seal = await createSealCertificate(new Date())
    const timestamp = { authority: 'time.harbor.example', nonce: NONCE }
    const signedAt = new Date().toISOString()
    const result = await completeDocument(await aPdf(), await aCompletion({ seal, timestamp, signedAt }))
    if (!result.ok || 'toSign' in result) throw new Error('not sealed')
    sealed = Buffer.from(result.pdf)
    query = result.timestampQuery!
  })
  after(async () => {
    await authority?.stop()
    await other?.stop()
  })

  const attached = (answer: Uint8Array, nonce = NONCE) =>
    attachTimestamp(Buffer.from(sealed), {
      answer,
      nonce,
      authorities: authority.ca,
      certificatePem: seal.certificatePem,
    })
  function stamped(): Buffer {
    authority.conduct = 'good'
    const result = attached(authority.answer(query)!)
    if (!result.ok) throw new Error(result.problem)
    return result.pdf
  }
  const verdictOn = (pdf: Uint8Array, authorities = authority.ca) =>
    verifySealed(pdf, seal.certificatePem, { authorities, now: LATER })

  it('proves when the document was sealed, also after the end of its certificate', () => {
    const before = Math.floor(Date.now() / 1000) * 1000
    const { valid, signatures, summary } = verdictOn(stamped())
    const [{ timestamp, findings } = expect.fail()] = signatures
    expect({ valid, findings }).to.deep.equal({ valid: true, findings: [] })
    expect(timestamp).to.deep.include({ authority: 'CN=Harbor Time', isTrusted: true })
    expect(Date.parse(timestamp!.at)).to.be.within(before, Date.now())
    expect(summary).to.match(/not a byte has changed\. Harbor Time confirms that it was sealed by \d{4}-.* UTC\.$/)
  })

  it('is announced on the certificate page, and other programs find the seal valid with it', async () => {
    const pdf = stamped()
    const text = (await textOf(pdf.toString('base64'))).replace(/\s+/g, ' ')
    expect(text).to.contain('Timestamp by time.harbor.example, within the digital signature')
    if (installed.pdfsig) expect(pdfsigAnswers(pdf)).to.deep.equal([{ isValid: true, isTotal: true }])
    if (installed.qpdf) expect(qpdfComplaints(pdf)).to.deep.equal([])
  })

  it('is missed where there is none, once the certificate has ended', () => {
    const { valid, signatures } = verdictOn(sealed)
    expect(valid).to.equal(true)
    expect(signatures[0]).to.deep.include({
      timestamp: null,
      findings: ['The certificate has ended since then, and no timestamp proves that it was signed before that.'],
    })
  })

  it('counts for nothing where nobody trusts its authority, and the seal does not suffer', () => {
    const { valid, signatures } = verdictOn(stamped(), other.ca)
    expect(valid).to.equal(true)
    expect(signatures[0]!.timestamp!.isTrusted).to.equal(false)
    expect(signatures[0]!.findings).to.deep.equal([
      'The authority of the timestamp is not a known one, so its time is not relied on.',
      'The certificate has ended since then, and no timestamp proves that it was signed before that.',
    ])
  })

  it('cannot be changed to another time', () => {
    const pdf = stamped()
    const { at } = verdictOn(pdf).signatures[0]!.timestamp!
    const token = pdf.indexOf(TOKEN_TYPE, pdf.lastIndexOf('/ByteRange'))
    const end = pdf.indexOf('0'.repeat(64), token)
    let seen = 0
    for (let place = token; place < end; place += 61) {
      const changed = Buffer.from(pdf)
      changed[place] = changed[place] === 0x30 ? 0x31 : 0x30
      const { valid, signatures } = verdictOn(changed)
      // Nobody relies on the certificate of a root that is carried along.
      if (valid) expect(signatures[0]!.timestamp!.at).to.equal(at)
      else seen++
    }
    expect(seen).to.be.above(20)
  })

  for (const [conduct, problem] of [
    ['anotherNonce', 'anotherRequest'],
    ['refuses', 'notGiven'],
    ['garbage', 'unreadable'],
    ['tooMuch', 'unreadable'],
    ['forges', 'forged'],
  ] as const satisfies readonly (readonly [Conduct, string])[])
    it(`is not taken from an authority that answers like this: ${conduct}`, () => {
      authority.conduct = conduct
      expect(attached(authority.answer(query)!)).to.deep.equal({ ok: false, problem })
    })

  it('is not taken where it belongs to another document', async () => {
    const timestamp = { authority: 'time.harbor.example', nonce: NONCE }
    const result = await completeDocument(await aPdf({}), await aCompletion({ seal, timestamp }))
    if (!result.ok || 'toSign' in result) throw new Error('not sealed')
    authority.conduct = 'good'
    const answer = authority.answer(result.timestampQuery!)!
    expect(attached(answer)).to.deep.equal({ ok: false, problem: 'anotherDocument' })
  })

  it('is not taken from an authority for which nobody who is trusted vouches', () => {
    expect(attached(other.answer(query)!)).to.deep.equal({ ok: false, problem: 'untrusted' })
  })
})
