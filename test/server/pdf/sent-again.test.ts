/** A document that was filled in is accepted when it is sent again, also where its letters have signs above and below them. */
import { expect } from 'chai'
import { PDFDocument } from 'pdf-lib'
import { defaultLimits } from '../../../lib/pdf/guard/limits.ts'
import { defaultActiveContentPolicy } from '../../../lib/pdf/prepare/active-content.ts'
import { acceptDocument } from '../../../server/pdf/accept.ts'
import { inkDocument } from '../../../server/pdf/ink/ink-document.ts'

const field = {
  page: 1,
  type: 'TextArea' as const,
  required: false,
  value: null,
  box: { left: 20, top: 40, right: 300, bottom: 100 },
}

describe('a document with ink, sent again', () => {
  for (const [script, text] of [
    ['Arabic vowels', 'مُحَمَّد'],
    ['Hebrew points', 'שָׁלוֹם'],
    ['Thai marks', 'ก็'],
    ['accents', 'Łukasz é'],
  ] as const)
    it(`is accepted with ${script}`, async () => {
      const doc = await PDFDocument.create()
      doc.addPage([400, 200])
      const { pdf } = await inkDocument(await doc.save({ useObjectStreams: false }), {
        fields: [field],
        values: { 0: text },
        signer: { name: 'Ruth Calder DO' },
        isSigned: false,
        signatureImage: null,
        signedAt: '2026-01-15T09:30:00.000Z',
        timeZone: 'UTC',
      })
      const accepted = await acceptDocument(pdf, defaultLimits, defaultActiveContentPolicy)
      expect(accepted).to.include({ ok: true })
    })
})
