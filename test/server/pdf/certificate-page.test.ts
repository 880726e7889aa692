/** The certificate page, as a reader of others sees it. */
import { expect } from 'chai'
import { PDFDocument } from 'pdf-lib'
import type { Completion } from '../../../server/pdf/completion.ts'
import { addCertificatePage } from '../../../server/pdf/ink/certificate-page.ts'
import { lettering } from '../../../server/pdf/ink/fonts.ts'
import { aCompletion, aField } from '../../support/pdf/a-completion.ts'
import { aPdf } from '../../support/pdf/a-pdf.ts'
import { aPng } from '../../support/pdf/a-png.ts'
import { certificateText } from '../../support/seen/certificate-text.ts'

const inked = { sha256: 'cd'.repeat(32), bytes: 1234 }

/** Returns what the certificate pages say, and how many there are. */
async function certified(change: Partial<Completion> = {}): Promise<{ text: string; pages: number }> {
  const doc = await PDFDocument.load(await aPdf({}))
  const before = doc.getPageCount()
  await addCertificatePage(doc, await aCompletion(change), inked, lettering(doc))
  return { text: await certificateText(await doc.save(), before + 1), pages: doc.getPageCount() - before }
}

describe('the certificate page', () => {
  it('spells out what senders say in characters for which there is no font', async () => {
    const { certificate } = await aCompletion()
    const { text } = await certified({
      certificate: { ...certificate, patient: { name: 'கமலா Rao', birthDate: '1931-05-14', mrn: null } },
    })
    expect(text).to.include('Patient [U+0B95][U+0BAE][U+0BB2][U+0BBE] Rao, born 1931-05-14')
  })

  it('answers what an auditor asks', async () => {
    const { text, pages } = await certified({
      fields: [
        aField(),
        aField({ type: 'DateSigned' }),
        aField({ type: 'TextArea', page: 2, value: 'As discussed' }),
        aField({ type: 'TextArea' }),
        aField({ type: 'CheckBox' }),
      ],
      values: { 3: 'Twice a week', 4: true },
    })
    for (const row of [
      'Name Dr. Łukasz Nguyễn',
      'NPI 9999900019',
      'Organization Lakeside Family Practice',
      'Signed at 2026-01-15 14:03:05 UTC',
      'Signature typed name',
      'Authenticated signed in with a password',
      'Address 192.0.2.7',
      'Device Mozilla/5.0 (X11; Linux x86_64)',
      'Consent version 1: By signing you confirm that you have reviewed this document.',
      'Type Verbal order',
      'Patient Nora Hart, born 1931-05-14, MRN WC100001',
      'Sender Willow Creek Home Health, NPI 9999900084',
      'Id of the sender DOC-1001',
      'Task 7',
      'Document 12',
      `SHA-256 as received ${'ab'.repeat(32)}`,
      `SHA-256 as signed ${inked.sha256}`,
      'Signature, page 1 typed name',
      'Date signed, page 1 2026-01-15',
      'Text, page 2 As discussed',
      'Text, page 1 Twice a week',
      'Checkbox, page 1 checked',
      '2026-01-15 13:59:58 UTC Received',
      '2026-01-15 14:01:00 UTC First shown',
      'the first 1234 bytes',
    ])
      expect(text).to.include(row)
    expect(text.indexOf('Received')).to.be.below(text.indexOf('First shown'))
    expect(pages).to.equal(1)
  })

  it('claims nothing that was not given', async () => {
    const { certificate } = await aCompletion()
    const nobody = { authentication: null, address: null, device: null, consent: null }
    const { text } = await certified({
      fields: [aField({ type: 'CheckBox' }), aField({ type: 'TextArea' })],
      signature: 'notGiven',
      certificate: { ...certificate, patient: null, shownAt: null, circumstances: nobody },
    })
    for (const row of [
      'Signature none: the sender asks for none',
      'Authenticated not known',
      'Address none',
      'Consent none was asked for',
      'Checkbox, page 1 not checked',
      'Text, page 1 left empty',
    ])
      expect(text).to.include(row)
    for (const absent of ['typed name', 'Patient', 'Nora', 'First shown']) expect(text).to.not.include(absent)
  })

  it('bears the signature of a document that has no field for it', async () => {
    const onCertificate = { fields: [], signature: 'onCertificate' } as const
    const typed = await certified(onCertificate)
    // Readers order the two lines by their places, or as they were drawn.
    const lines = ['Dr. Łukasz Nguyễn', 'Electronically signed · 2026-01-15']
    expect([lines.join(' '), lines.reverse().join(' ')].some((both) => typed.text.includes(both))).to.equal(true)
    const drawn = await certified({ ...onCertificate, signatureImage: aPng(200, 60, [20, 20, 80]) })
    expect(drawn.text)
      .to.include('Electronically signed by Dr. Łukasz Nguyễn')
      .and.to.include('Signature drawn by hand')
  })

  it('goes on over further pages, shows long values in full, and tells of a text that it cuts', async () => {
    const { certificate } = await aCompletion()
    const name = 'Maximiliana '.repeat(20).trim()
    const id = 'x'.repeat(250)
    const fields = Array.from({ length: 60 }, () => aField({ type: 'TextArea' }))
    const { text, pages } = await certified({
      signer: { name, npi: '9999900019', organization: null },
      fields,
      values: { 0: '✓ ok '.repeat(400) },
      certificate: { ...certificate, sender: { ...certificate.sender, documentId: id } },
    })
    expect(pages).to.be.above(2)
    expect(text).to.include(`Name ${name}`).and.to.include('… (2000 characters, all of them in the field)')
    expect(text.replaceAll(' ', '')).to.include(id)
  })
})
