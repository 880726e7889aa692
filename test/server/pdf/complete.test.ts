import { createHash } from 'node:crypto'
import { expect } from 'chai'
import { PDFDocument, PDFName } from 'pdf-lib'
import { defaultLimits } from '../../../lib/pdf/guard/limits.ts'
import { defaultActiveContentPolicy } from '../../../lib/pdf/prepare/active-content.ts'
import { verifySealed } from '../../../lib/pdf/seal/verify.ts'
import { acceptDocument } from '../../../server/pdf/accept.ts'
import { completeDocument } from '../../../server/pdf/complete.ts'
import { TEST_NOTICE } from '../../../server/pdf/ink/certificate-page.ts'
import { createSealCertificate } from '../../../server/pdf/seal/certificate.ts'
import { fixture, fixtureNames } from '../../support/fixtures.ts'
import { aCompletion, aField, aSealKey } from '../../support/pdf/a-completion.ts'
import { aPdf } from '../../support/pdf/a-pdf.ts'
import { locateAllIn, locateIn } from '../../support/pdf/locate-in.ts'
import { signedByOthers } from '../../support/sealed/signed-by-others.ts'
import { installed, pdfsigAnswers, qpdfComplaints } from '../../support/seen/external-checks.ts'
import { textOf } from '../../support/seen/text-of.ts'

type Change = Parameters<typeof aCompletion>[0]

async function completed(pdf: Uint8Array, change: Change = {}): Promise<Uint8Array> {
  const result = await completeDocument(pdf, await aCompletion(change))
  if (!result.ok) throw new Error(result.problem)
  return result.pdf
}

async function accepted(pdf: Uint8Array): Promise<Uint8Array> {
  const result = await acceptDocument(pdf, defaultLimits, defaultActiveContentPolicy)
  if (!result.ok) throw new Error(result.problem)
  return result.pdf
}

const every = [
  aField(),
  aField({ type: 'DateSigned', box: { left: 100, top: 150, right: 190, bottom: 164 } }),
  aField({ type: 'TextArea', box: { left: 100, top: 180, right: 300, bottom: 220 } }),
  aField({ type: 'CheckBox', box: { left: 100, top: 230, right: 112, bottom: 242 } }),
]

describe('a completed document', () => {
  const names = [...fixtureNames('pdf/orders'), ...fixtureNames('pdf/producers')]
  const checkers = [
    'our own verification',
    ...(installed.qpdf ? ['qpdf'] : []),
    ...(installed.pdfsig ? ['pdfsig'] : []),
  ]

  it('names the digests of the document as received and as signed; the latter is how the file begins', async () => {
    const pdf = await completed(await aPdf(), { fields: every })
    const text = (await textOf(Buffer.from(pdf).toString('base64'))).replace(/\s+/g, ' ')
    const [, bytes] = /first (\d+) bytes/.exec(text) ?? []
    const signed = createHash('sha256')
      .update(pdf.subarray(0, Number(bytes)))
      .digest('hex')
    expect(text)
      .to.contain(`SHA-256 as signed ${signed}`)
      .and.to.contain(`SHA-256 as received ${'ab'.repeat(32)}`)
  })

  it(`is valid as a whole, and begins with every byte of the original (${checkers.join(', ')})`, async function () {
    this.timeout(120_000)
    const { certificatePem } = await aSealKey()
    for (const name of names) {
      const original = fixture(name)
      const pdf = await completed(original, { fields: every, values: { 2: 'Noted.', 3: true } })
      expect(Buffer.from(pdf.subarray(0, original.length)).equals(Buffer.from(original)), name).to.equal(true)
      expect(verifySealed(pdf, certificatePem).valid, name).to.equal(true)
      if (installed.pdfsig) expect(pdfsigAnswers(pdf), name).to.deep.equal([{ isValid: true, isTotal: true }])
      if (installed.qpdf) {
        const known = new Set(qpdfComplaints(original))
        expect(
          qpdfComplaints(pdf).filter((complaint) => !known.has(complaint)),
          name,
        ).to.deep.equal([])
      }
    }
  })

  it('says on its last page who signed what and when, and which events there were', async () => {
    const pdf = await completed(await aPdf({}, {}))
    const doc = await PDFDocument.load(pdf, { updateMetadata: false })
    expect(doc.getPageCount()).to.equal(3)
    const texts = [
      'Certificate of signature',
      'Dr. Łukasz Nguyễn',
      '9999900019',
      'Lakeside Family Practice',
      '2026-01-15 14:03:05 UTC',
      'ab'.repeat(32),
      '5f1d7a30-93aa-4b0a-8f9d-2f1f6d6c0001',
      'Pending',
    ]
    const places = await locateAllIn(pdf, texts)
    for (const [n, text] of texts.entries())
      expect(
        places[n]!.some(({ page }) => page === 3),
        text,
      ).to.equal(true)
  })

  it('says that it is a test only in a sandbox', async () => {
    const { certificate } = await aCompletion()
    const test = await completed(await aPdf({}), { certificate: { ...certificate, isTest: true } })
    expect(await locateIn(test, TEST_NOTICE)).to.have.lengthOf(1)
    expect(await locateIn(await completed(await aPdf({})), TEST_NOTICE)).to.have.lengthOf(0)
  })

  it('has room for many events, and for long names', async () => {
    const { certificate } = await aCompletion()
    const events = Array.from({ length: 70 }, (_, i) => ({
      eventId: `5f1d7a30-93aa-4b0a-8f9d-2f1f6d6c${String(i).padStart(4, '0')}`,
      status: 'Processing',
      at: '2026-01-15T14:00:00Z',
    }))
    const pdf = await completed(await aPdf({}), {
      certificate: { ...certificate, events },
      signer: { name: 'Maria '.repeat(60), npi: '9999900019', organization: 'Lakeside '.repeat(40) },
    })
    const places = await locateAllIn(
      pdf,
      events.map(({ eventId }) => eventId),
    )
    expect(places).to.have.lengthOf(70)
    expect(places.every((hits) => hits.length === 1 && hits[0]!.box.bottom < 760)).to.equal(true)
    expect((await locateIn(pdf, 'Maria')).every(({ box }) => box.right < 560)).to.equal(true)
  })

  it('may not be changed at all, when nobody signed it before', async () => {
    const doc = await PDFDocument.load(await completed(await aPdf({})), { updateMetadata: false })
    expect(String(doc.catalog.get(PDFName.of('Perms')))).to.match(/DocMDP/)
  })

  it(`keeps the signatures of others${installed.pdfsig ? ', as pdfsig sees it too' : ''}`, async () => {
    const pdf = await completed(await signedByOthers(await aPdf({})))
    expect(verifySealed(pdf).signatures.map(({ state }) => state)).to.deep.equal(['valid', 'valid'])
    if (installed.pdfsig) {
      expect(pdfsigAnswers(pdf)).to.deep.equal([
        { isValid: true, isTotal: false },
        { isValid: true, isTotal: true },
      ])
    }
  })

  it('can be completed twice: the second seal leaves the first one valid', async () => {
    const twice = await completed(await completed(await aPdf({})))
    expect(verifySealed(twice).signatures.map(({ state }) => state)).to.deep.equal(['valid', 'valid'])
  })

  it('bears no encryption when its owner restricted it with an empty password', async () => {
    const pdf = await completed(await accepted(fixture('pdf/encrypted-owner.pdf')))
    expect(verifySealed(pdf, (await aSealKey()).certificatePem).valid).to.equal(true)
    expect((await locateIn(pdf, 'Physician Signature:'))[0]?.page).to.equal(1)
    if (installed.pdfsig) expect(pdfsigAnswers(pdf)).to.deep.equal([{ isValid: true, isTotal: true }])
    if (installed.qpdf) expect(qpdfComplaints(pdf)).to.deep.equal([])
  })

  it('begins with its header, and is sound, when the original has something before it', async () => {
    const original = Buffer.concat([Buffer.from('%junk line\n'), fixture('pdf/orders/ghostscript-order.pdf')])
    const pdf = await completed(await accepted(new Uint8Array(original)))
    expect(Buffer.from(pdf).toString('latin1', 0, 5)).to.equal('%PDF-')
    expect(verifySealed(pdf, (await aSealKey()).certificatePem).valid).to.equal(true)
    expect((await locateIn(pdf, 'Physician'))[0]?.page).to.equal(1)
    if (installed.qpdf) expect(qpdfComplaints(pdf)).to.deep.equal([])
    if (installed.pdfsig) expect(pdfsigAnswers(pdf)).to.deep.equal([{ isValid: true, isTotal: true }])
  })

  it('leaves the bytes it was given as they were', async () => {
    const original = fixture('pdf/orders/chromium-order.pdf')
    await completed(original)
    expect(Buffer.from(original).equals(Buffer.from(fixture('pdf/orders/chromium-order.pdf')))).to.equal(true)
  })
})

describe('completing', () => {
  it('refuses a field on a page that does not exist', async () => {
    const result = await completeDocument(await aPdf({}), await aCompletion({ fields: [aField({ page: 2 })] }))
    expect(result).to.deep.equal({ ok: false, problem: 'a field is on page 2, the document has 1' })
  })

  it('refuses a document that was stored by a version that prepared none', async () => {
    const result = await completeDocument(fixture('pdf/encrypted-owner.pdf'), await aCompletion())
    const problem = 'it was never prepared for signing; ask the sender to send it again'
    expect(result).to.deep.equal({ ok: false, problem })
  })

  it('refuses a file whose last lines point to the wrong place, where viewers would repair it in their own ways', async () => {
    const original = Buffer.from(fixture('pdf/orders/ghostscript-order.pdf'))
    const spoilt = [original.subarray(0, original.lastIndexOf('startxref')), Buffer.from('startxref\n7\n%%EOF\n')]
    expect((await completeDocument(new Uint8Array(Buffer.concat(spoilt)), await aCompletion())).ok).to.equal(false)
  })

  it('refuses a file that cannot be read', async () => {
    const result = await completeDocument(new TextEncoder().encode('%PDF-1.7 no more'), await aCompletion())
    expect(result.ok).to.equal(false)
  })

  it('throws when the key does not belong to the certificate: that is no fault of the document', async () => {
    const { certificatePem } = await aSealKey()
    const { privateKeyPem } = await createSealCertificate(new Date('2026-01-01T00:00:00Z'))
    const completion = await aCompletion({ seal: { certificatePem, privateKeyPem } })
    let message = ''
    await completeDocument(await aPdf({}), completion).catch((error: Error) => {
      message = error.message
    })
    expect(message).to.equal('The private key does not belong to the seal certificate')
  })
})
