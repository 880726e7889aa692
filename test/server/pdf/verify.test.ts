import { expect } from 'chai'
import { type Verdict, verifySealed } from '../../../lib/pdf/seal/verify.ts'
import { completeDocument } from '../../../server/pdf/complete.ts'
import { createSealCertificate } from '../../../server/pdf/seal/certificate.ts'
import { fixture } from '../../support/fixtures.ts'
import { workOfThread } from '../../support/load/work-of-thread.ts'
import { aCompletion, aSealKey } from '../../support/pdf/a-completion.ts'
import { aPdf } from '../../support/pdf/a-pdf.ts'
import { signedByOthers } from '../../support/sealed/signed-by-others.ts'

async function sealed(pdf?: Uint8Array): Promise<Uint8Array> {
  const result = await completeDocument(pdf ?? (await aPdf({})), await aCompletion())
  if (!result.ok) throw new Error(result.problem)
  return result.pdf
}

const flipped = (pdf: Uint8Array, bit: number): Uint8Array => {
  const copy = new Uint8Array(pdf)
  copy[bit >> 3]! ^= 1 << (bit & 7)
  return copy
}

/** Numbers that are the same in every run, spread over the range. */
function* spread(count: number, below: number) {
  let value = 12_345
  for (let i = 0; i < count; i++) {
    value = (value * 1_103_515_245 + 12_345) % 2 ** 31
    yield Math.floor((value / 2 ** 31) * below)
  }
}

/** By somebody known or unknown. */
const isAsSigned = ({ outcome }: Verdict) => outcome === 'valid' || outcome === 'signedByUnknown'

const appended = (pdf: Uint8Array, text: string) => new Uint8Array(Buffer.concat([pdf, Buffer.from(text)]))

describe('verifying a sealed document', () => {
  let pdf: Uint8Array
  let certificate: string
  before(async () => {
    pdf = await sealed(fixture('pdf/orders/libreoffice-order.pdf'))
    certificate = (await aSealKey()).certificatePem
  })

  it('says that it is valid, whole and unchanged, by whom and when', () => {
    const verdict = verifySealed(pdf, certificate)
    expect(verdict).to.deep.equal({
      outcome: 'valid',
      valid: true,
      headline: 'Valid',
      summary:
        'The document was signed by Dr. Łukasz Nguyễn, NPI 9999900019. It is as it was sealed by Countersign document seal: not a byte has changed.',
      signatures: [
        {
          state: 'valid',
          by: 'CN=Countersign document seal',
          isPinned: true,
          signer: { name: 'Dr. Łukasz Nguyễn', npi: '9999900019' },
          isTest: false,
          certificates: [
            {
              subject: 'CN=Countersign document seal',
              issuer: 'CN=Countersign document seal',
              validFrom: '2025-12-31T23:00:00.000Z',
              validTo: '2036-01-01T00:00:00.000Z',
            },
          ],
          timestamp: null,
          signedAt: '2026-01-15T14:03:05.000Z',
          coversWholeDocument: true,
          changedAfterSigning: false,
          findings: [],
        },
      ],
      findings: [],
    })
  })

  it('says only that somebody signed when no certificate is expected', () => {
    const verdict = verifySealed(pdf)
    expect(verdict).to.include({ outcome: 'signedByUnknown', valid: false, headline: 'Signed by an unknown signer' })
    expect(verdict.signatures[0]).to.include({ state: 'valid', isPinned: null, coversWholeDocument: true })
    expect(verdict.summary).to.equal(
      'The document was signed. The certificate names Countersign document seal, but anyone can make one with that name.',
    )
  })

  it('says that somebody unknown signed when the certificate is not the expected one, even under the same name', async () => {
    const other = await createSealCertificate(new Date('2026-01-01T00:00:00Z'))
    const verdict = verifySealed(pdf, other.certificatePem)
    expect(verdict).to.include({ outcome: 'signedByUnknown', valid: false })
    expect(verdict.signatures[0]).to.include({ state: 'valid', isPinned: false })
    expect(verdict.summary).to.contain('signed, but not with the expected certificate')
  })

  it('accepts any of several certificates that a service sealed with', async () => {
    const other = await createSealCertificate(new Date('2026-01-01T00:00:00Z'))
    expect(verifySealed(pdf, other.certificatePem + certificate).valid).to.equal(true)
  })

  it('detects 200 one-bit flips anywhere in the signed bytes, and 200 in the signature itself', () => {
    const text = Buffer.from(pdf).toString('latin1')
    const gap = text.lastIndexOf('/Contents <') + 10
    const used = text.slice(gap).search(/(?:00){64}/)
    const places = [...spread(200, pdf.length * 8), ...[...spread(200, used * 8)].map((bit) => (gap + 1) * 8 + bit)]
    const missed = places.filter((bit) => verifySealed(flipped(pdf, bit), certificate).valid)
    expect(missed).to.deep.equal([])
  })

  it('detects them without knowing the certificate as well', () => {
    const gap = Buffer.from(pdf).lastIndexOf('/Contents <')
    const missed = [...spread(100, gap * 8)].filter((bit) => isAsSigned(verifySealed(flipped(pdf, bit))))
    expect(missed).to.deep.equal([])
  })

  it('detects a flip in the padding and in the case of the signature', () => {
    const text = Buffer.from(pdf).toString('latin1')
    const gap = text.lastIndexOf('/Contents <') + 11
    const letter = gap + text.slice(gap).search(/[a-f]/)
    const end = text.indexOf('>', gap)
    for (const byte of [letter, end - 1]) {
      const verdict = verifySealed(flipped(pdf, byte * 8 + 5), certificate)
      expect(verdict.valid, `byte ${byte}`).to.equal(false)
    }
  })

  it('reports an appended edit as changed after signing', () => {
    const verdict = verifySealed(appended(pdf, '\n% one more thing\n'), certificate)
    expect(verdict.valid).to.equal(false)
    expect(verdict.summary).to.equal('The signature is valid, but the document was changed after signing.')
    expect(verdict.signatures[0]).to.include({ state: 'valid', coversWholeDocument: false, changedAfterSigning: true })
    expect(verdict.signatures[0]!.findings).to.deep.equal([
      'The document was changed after signing: 18 bytes were added.',
    ])
  })

  it('says that it is not valid when a letter of the document was changed', () => {
    const changed = Buffer.from(pdf)
    changed.write('X', 100, 'latin1')
    const verdict = verifySealed(changed, certificate)
    expect(verdict.summary).to.equal('The signature is not valid: the document or its signature was changed.')
    expect(verdict.signatures[0]!.findings).to.deep.equal([
      'The signed part of the document was changed after it was signed.',
    ])
  })

  it('says so when there is no signature, in a PDF or in anything else', async () => {
    const verdict = verifySealed(await aPdf({}))
    expect(verdict).to.include({ outcome: 'notSigned', valid: false, summary: 'The document is not signed.' })
    for (const bytes of [new Uint8Array(0), new TextEncoder().encode('hello')])
      expect(verifySealed(bytes)).to.include({ outcome: 'notPdf', valid: false, summary: 'The file is not a PDF.' })
  })

  it('ends quickly on a file that is nothing but signature entries', () => {
    const entries = Buffer.from('%PDF-1.7\n1 0 obj <</ByteRange [0 9 99 9] /Contents <00>>> endobj\n'.repeat(20_000))
    const work = workOfThread()
    expect(verifySealed(entries).valid).to.equal(false)
    expect(work()).to.be.lessThan(1000)
  })

  it('does not take a gap for a signature that is not the value of /Contents', () => {
    const text = Buffer.from(pdf)
    const at = text.lastIndexOf('/Contents <')
    text.write('/Kontents', at, 'latin1')
    const verdict = verifySealed(text, certificate)
    expect(verdict.valid).to.equal(false)
    expect(verdict.findings).to.include('The document has a damaged signature entry, which was ignored.')
  })
})

describe('verifying what others signed', () => {
  let foreign: Uint8Array
  before(async () => {
    foreign = await signedByOthers(await aPdf({}))
  })

  it('reports who signed and when, and that the certificate was not checked', () => {
    const verdict = verifySealed(foreign)
    expect(verdict).to.include({ outcome: 'signedByUnknown', valid: false })
    expect(verdict.signatures[0]).to.deep.include({
      state: 'valid',
      by: 'CN=Another Signer',
      signedAt: '2025-12-24T17:00:00.000Z',
      coversWholeDocument: true,
    })
    expect(verdict.summary).to.contain('signed. The certificate names Another Signer, but anyone can')
  })

  it('is never our seal', async () => {
    const verdict = verifySealed(foreign, (await aSealKey()).certificatePem)
    expect([verdict.valid, verdict.signatures[0]!.isPinned]).to.deep.equal([false, false])
  })

  it('detects 100 one-bit flips in the signed bytes', () => {
    const gap = Buffer.from(foreign).lastIndexOf('/Contents <')
    const missed = [...spread(100, gap * 8)].filter((bit) => isAsSigned(verifySealed(flipped(foreign, bit))))
    expect(missed).to.deep.equal([])
  })

  it('says that it cannot check a method it does not know', async () => {
    const bytes = Buffer.from(foreign)
    const sha256 = '0609608648016503040201'.toUpperCase()
    // The digest algorithm becomes SHA-224, which we do not check.
    for (let at = bytes.indexOf(sha256); at >= 0; at = bytes.indexOf(sha256, at + 1)) {
      bytes.write(sha256.replace(/01$/, '04'), at, 'latin1')
    }
    const verdict = verifySealed(bytes)
    expect(verdict.signatures[0]!.state).to.equal('unknown')
    expect([verdict.valid, verdict.summary]).to.deep.equal([
      false,
      'The document is signed in a way that this program cannot check.',
    ])
  })

  it('says so, too, of a signature over a time or a digest instead of the document', async () => {
    for (const way of ['ETSI.RFC3161', 'adbe.pkcs7.sha1']) {
      const verdict = verifySealed(await signedByOthers(await aPdf({}), way))
      expect([verdict.valid, verdict.signatures[0]!.state]).to.deep.equal([false, 'unknown'])
    }
  })

  it('lets nothing hide in the place of the signature, which is not signed', () => {
    const bytes = Buffer.from(foreign)
    const end = bytes.indexOf('>', bytes.lastIndexOf('/Contents <'))
    bytes.write('> /Evil (x) /B <', end - 100, 'latin1')
    const verdict = verifySealed(bytes)
    expect(verdict).to.include({ outcome: 'changed', valid: false })
    expect(verdict.findings).to.include('The document has a damaged signature entry, which was ignored.')
  })

  it('keeps the first signature valid when we seal a document that was signed before', async () => {
    const pdf = await sealed(foreign)
    const verdict = verifySealed(pdf, (await aSealKey()).certificatePem)
    expect(verdict.valid).to.equal(true)
    expect(
      verdict.signatures.map(({ state, by, coversWholeDocument }) => ({ state, by, coversWholeDocument })),
    ).to.deep.equal([
      { state: 'valid', by: 'CN=Another Signer', coversWholeDocument: false },
      { state: 'valid', by: 'CN=Countersign document seal', coversWholeDocument: true },
    ])
    expect(Buffer.from(pdf.subarray(0, foreign.length)).equals(Buffer.from(foreign))).to.equal(true)
    expect(Buffer.from(pdf.subarray(foreign.length)).includes('/DocMDP')).to.equal(false)
  })
})
