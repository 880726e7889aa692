/** Names and values in many scripts: a reader finds in the sealed document what was typed, or signing is refused. */
import { expect } from 'chai'
import { PDFDocument } from 'pdf-lib'
import { unstampableProblem } from '../../../lib/pdf/text/ink-text.ts'
import { completeDocument } from '../../../server/pdf/complete.ts'
import { addCertificatePage } from '../../../server/pdf/ink/certificate-page.ts'
import { coveredCharacters } from '../../../server/pdf/ink/covered.ts'
import { lettering } from '../../../server/pdf/ink/fonts.ts'
import { aCompletion, aField } from '../../support/pdf/a-completion.ts'
import { aPdf } from '../../support/pdf/a-pdf.ts'
import { stampableTexts, unstampableTexts } from '../../support/pdf/names-of-all-scripts.ts'
import { installed } from '../../support/seen/external-checks.ts'
import { popplerText, lettersOf as read } from '../../support/seen/poppler-text.ts'

if (installed.pdftotext)
  describe('A text in any script', () => {
    it('is found in the sealed document as it was typed or pre-filled', async () => {
      const fields = stampableTexts.map((text, i) => {
        const [column, row] = [i % 2, Math.floor(i / 2)]
        const box = { left: 40 + 270 * column, top: 30 + 38 * row, right: 290 + 270 * column, bottom: 64 + 38 * row }
        return aField({ type: 'TextArea', box, value: i % 3 === 0 ? text : null })
      })
      const values = Object.fromEntries(stampableTexts.flatMap((text, i) => (i % 3 === 0 ? [] : [[i, text]])))
      const result = await completeDocument(await aPdf({}), await aCompletion({ fields, values }))
      if (!result.ok) throw new Error(result.problem)
      const found = read(popplerText(result.pdf, 1))
      for (const text of stampableTexts) expect(found, text).to.contain(read(text))
      expect(found).to.not.contain('\ufffd')
    })

    it('is found on the certificate when it is a name', async () => {
      const doc = await PDFDocument.load(await aPdf({}))
      const letters = lettering(doc)
      for (const name of stampableTexts) {
        const completion = await aCompletion({ signer: { name, npi: '9999900019', organization: name } })
        await addCertificatePage(doc, completion, { sha256: 'ab'.repeat(32), bytes: 1000 }, letters)
      }
      const found = read(popplerText(await doc.save()))
      for (const name of stampableTexts) expect(found.split(read(name)), name).to.have.length.of.at.least(3)
    })

    it('is found in a typed signature, shortened where it would not be legible', async () => {
      for (const name of ['محمد علي MD', stampableTexts.at(-1)!]) {
        const completion = await aCompletion({ signer: { name, npi: '9999900019', organization: null } })
        const result = await completeDocument(await aPdf({}), completion)
        if (!result.ok) throw new Error(result.problem)
        const isLong = name.length > 100
        const found = popplerText(result.pdf, 1)
        expect(read(found)).to.contain(isLong ? read(name).slice(0, 90) : read(name))
        expect(found.includes('…'), name).to.equal(isLong)
        expect(read(popplerText(result.pdf, 2))).to.contain(read(name))
      }
    })
  })

describe('A character without a font', () => {
  it('is named, and never sealed', async () => {
    for (const [text, named] of Object.entries(unstampableTexts)) {
      const problem = `text without ${named}, for which the service has no font`
      expect(unstampableProblem(text, coveredCharacters())).to.equal(problem)
      const fields = [aField({ type: 'TextArea' })]
      const result = await completeDocument(await aPdf({}), await aCompletion({ fields, values: { 0: text } }))
      expect(result, text).to.include({ ok: false })
    }
  })

  it('is none of those that are only seen in their effect', () => {
    for (const text of stampableTexts) expect(unstampableProblem(text, coveredCharacters()), text).to.equal(null)
  })
})
