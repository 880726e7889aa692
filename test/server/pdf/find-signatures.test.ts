/** Orders whose forms already hold what looks like signatures: our seal stays the one that decides. */
import { expect } from 'chai'
import { type PDFDict, PDFDocument, PDFHexString, PDFName, type PDFRef } from 'pdf-lib'
import { findSignatures } from '../../../lib/pdf/seal/find-signatures.ts'
import { verifySealed } from '../../../lib/pdf/seal/verify.ts'
import { aSealKey } from '../../support/pdf/a-completion.ts'
import { aPdf } from '../../support/pdf/a-pdf.ts'
import { sealedWith } from '../../support/sealed/sample.ts'

const name = (text: string) => PDFName.of(text)

/** An order with a form of these fields, as its sender wrote it. */
async function orderWithForm(fields: (doc: PDFDocument) => PDFDict[]): Promise<Uint8Array> {
  const doc = await PDFDocument.load(await aPdf({}), { updateMetadata: false })
  const refs = fields(doc).map((field) => doc.context.register(field))
  doc.catalog.set(name('AcroForm'), doc.context.register(doc.context.obj({ Fields: refs })))
  return doc.save({ useObjectStreams: false, updateFieldAppearances: false })
}

function signature(doc: PDFDocument, ByteRange: number[]): PDFDict {
  const value = doc.context.obj({ Type: 'Sig', SubFilter: 'ETSI.CAdES.detached', ByteRange }) as PDFDict
  value.set(name('Contents'), PDFHexString.of('30820000'))
  return value
}

type Entries = Record<string, string | number[] | PDFRef[]>

function field(doc: PDFDocument, entries: Entries, value?: PDFDict | PDFRef): PDFDict {
  const result = doc.context.obj(entries) as unknown as PDFDict
  if (value) result.set(name('V'), value)
  return result
}

const orders: Record<string, (doc: PDFDocument) => PDFDict[]> = {
  'a signature that claims the whole file': (doc) => [
    field(doc, { FT: 'Sig' }, doc.context.register(signature(doc, [0, 1000, 1010, 30_000]))),
  ],
  'a signature inside its field': (doc) => [field(doc, { FT: 'Sig' }, signature(doc, [0, 1000, 1010, 3000]))],
  'a signature that two fields share': (doc) => {
    const shared = doc.context.register(signature(doc, [0, 10, 20, 30]))
    return [field(doc, { FT: 'Sig' }, shared), field(doc, { FT: 'Sig' }, shared)]
  },
  'a field whose kind its parent says': (doc) => {
    const kid = doc.context.register(field(doc, {}, doc.context.register(signature(doc, [0, 10, 20, 30]))))
    return [field(doc, { FT: 'Sig', Kids: [kid] })]
  },
  'a value that is no dictionary': (doc) => [field(doc, { FT: 'Sig', V: [1, 2] }), field(doc, { FT: 'Sig', V: 'Yes' })],
}

describe('the signatures of a document', () => {
  let certificate: string
  before(async () => {
    certificate = (await aSealKey()).certificatePem
  })

  for (const [what, fields] of Object.entries(orders))
    it(`are ours alone when the sender planted ${what}`, async () => {
      const sealed = await sealedWith(await orderWithForm(fields), await aSealKey())
      const verdict = verifySealed(sealed, certificate)
      expect(verdict).to.include({ outcome: 'valid' })
      expect(verdict.signatures).to.have.lengthOf(1)
    })

  it('are found though a field is its own child', async () => {
    const order = await orderWithForm((doc) => {
      const own = doc.context.nextRef()
      doc.context.assign(own, doc.context.obj({ FT: 'Sig', Kids: [own, own] }))
      return [doc.context.obj({ Kids: [own] }) as PDFDict]
    })
    expect(verifySealed(await sealedWith(order, await aSealKey()), certificate).valid).to.equal(true)
  })

  it('are not read from more fields than a document has', async () => {
    const order = await orderWithForm((doc) =>
      Array.from({ length: 10_001 }, () => doc.context.obj({ FT: 'Tx' }) as PDFDict),
    )
    expect(findSignatures(Buffer.from(order))).to.deep.equal({ ok: false, problem: 'more form fields than are read' })
  })

  it('are only what the form holds, not what lies about in the file', async () => {
    const doc = await PDFDocument.load(await aPdf({}), { updateMetadata: false })
    doc.context.register(signature(doc, [0, 10, 20, 30]))
    const verdict = verifySealed(await doc.save({ useObjectStreams: false }), certificate)
    expect(verdict).to.include({ outcome: 'notSigned' })
    expect(verdict.findings).to.deep.equal([])
  })
})
