/** What a sender prepares before an order is signed, and what anybody does to it afterwards. */
import * as asn1js from 'asn1js'
import { expect } from 'chai'
import { PDFDocument } from 'pdf-lib'
import { exact } from '../../../lib/pdf/seal/cms.ts'
import { verifySealed } from '../../../lib/pdf/seal/verify.ts'
import { completeDocument } from '../../../server/pdf/complete.ts'
import { addSignaturePlaceholder } from '../../../server/pdf/seal/placeholder.ts'
import { sealDocument } from '../../../server/pdf/seal/seal.ts'
import { aCompletion, aSealKey, SIGNED_AT } from '../../support/pdf/a-completion.ts'
import { alteredCms } from '../../support/sealed/altered-cms.ts'
import { withOtherS } from '../../support/sealed/other-s.ts'
import { orderWith } from '../../support/sealed/planted-order.ts'
import { cmsOf, exploited, gapOf, plantedSample, sealedWith, withCms } from '../../support/sealed/sample.ts'
import { installed, pdfsigAnswers } from '../../support/seen/external-checks.ts'
import { textOf } from '../../support/seen/text-of.ts'

const RANGE = '/ByteRange [ 0 9999999999 9999999999 9999999999 ]'
const PLACEHOLDER = `${RANGE} /Contents <${'0'.repeat(16_384)}>`

describe('a forged seal', () => {
  it('is not valid when the sender planted a gap and the signature was moved there', async () => {
    const seal = await aSealKey()
    const { pdf, plant } = await plantedSample(seal)
    expect(verifySealed(pdf, seal.certificatePem).valid, 'as it was sealed').to.equal(true)
    const forged = exploited({ pdf }, plant)
    const shown = (await textOf(forged.toString('base64'))).replace(/\s+/g, ' ')
    expect(shown, 'what readers show').to.contain('AMENDED: Morphine 500 mg every hour')
    const verdict = verifySealed(forged, seal.certificatePem)
    expect(verdict).to.include({ outcome: 'damaged', valid: false })
    if (installed.pdfsig) {
      expect(pdfsigAnswers(pdf)).to.deep.equal([{ isValid: true, isTotal: true }])
      expect(pdfsigAnswers(forged)).not.to.deep.include({ isValid: true, isTotal: true })
    }
  })

  it('is not valid with the other of the two ECDSA signatures that the public key confirms', async () => {
    const seal = await aSealKey()
    const pdf = await sealedWith(orderWith(''), seal)
    const changed = alteredCms(cmsOf(pdf), (_, info) => {
      const other = withOtherS(new Uint8Array(info.signature.valueBlock.valueHexView))
      info.signature = new asn1js.OctetString({ valueHex: exact(other) })
    })
    const verdict = verifySealed(withCms(pdf, changed), seal.certificatePem)
    expect(verdict).to.include({ outcome: 'changed', valid: false })
    expect(verdict.signatures[0]!.findings).to.deep.equal([
      'The signature was altered: it is not in the form in which it was written.',
    ])
  })
})

describe('an order that is made to spoil its seal', () => {
  const orders = {
    'names a byte range 101 times': orderWith(Array(101).fill('%/ByteRange [0 10 20 30] /Contents').join('\n')),
    'has the name of our seal in its page': orderWith(`%${PLACEHOLDER} /Name <FEFF0043006F0075>`),
    'has a placeholder in its trailer': orderWith('', `/ID [ (${PLACEHOLDER}) (${PLACEHOLDER}) ] `),
  }
  for (const [what, order] of Object.entries(orders))
    it(`is sealed in its own field when it ${what}`, async () => {
      const seal = await aSealKey()
      const pdf = await sealedWith(order, seal)
      const verdict = verifySealed(pdf, seal.certificatePem)
      expect(verdict).to.include({ outcome: 'valid' })
      expect(verdict.signatures).to.have.lengthOf(1)
      if (installed.pdfsig) expect(pdfsigAnswers(pdf)).to.deep.equal([{ isValid: true, isTotal: true }])
    })

  it('is not signed at all when its seal would not be valid', async () => {
    // There is no cross-reference at 7: readers pass over that, or build one of their own.
    const order = new Uint8Array(orderWith('', '/Prev 7 '))
    const result = await completeDocument(order, await aCompletion({ fields: [] }))
    expect(result.ok ? 'sealed' : result.problem).to.match(/readers would not agree on what it shows/)
    // Nor is it when nobody has looked at the order before.
    const doc = await PDFDocument.load(order, { updateMetadata: false, forIncrementalUpdate: true })
    const signer = { name: 'Ruth Calder DO', npi: '9999900019', onBehalfOf: null, isTest: false }
    const placeholder = await addSignaturePlaceholder(doc, doc.getPage(0), new Date(SIGNED_AT), signer)
    const written = await doc.commit({ useObjectStreams: false })
    expect(sealDocument(written, placeholder, await aSealKey())).to.equal(null)
  })

  it('keeps nothing behind that looks like an unfilled seal', async () => {
    const pdf = await sealedWith(orders['has a placeholder in its trailer'], await aSealKey())
    const { gapStart } = gapOf(pdf)
    expect(pdf.toString('latin1', gapStart, gapStart + 5)).to.equal('<3082')
  })
})
