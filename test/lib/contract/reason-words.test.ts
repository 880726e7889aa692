import { expect } from 'chai'
import { reasonInWords } from '../../../lib/contract/task/reason-words.ts'

describe('Reasons in words', () => {
  const cases = {
    'document.attachment: its pages cannot be read; save or print it to PDF again':
      'PDF: its pages cannot be read; save or print it to PDF again',
    'document.annotations: none of the tokens {s} was found in the text of the PDF':
      'Fields: none of the tokens {s} was found in the text of the PDF',
    'document.annotations.templateId: the template has no fields': 'Template: the template has no fields',
    'document.annotations.data: empty': 'Fields: empty',
    'document.annotations.data[0].referenceText was not found in the text of the PDF':
      'Reference text of field 1 was not found in the text of the PDF',
    'document.annotations.data[11].pageNumber: the document has 2 pages':
      'Page number of field 12: the document has 2 pages',
    'document.annotations.data[3]: outside the page': 'Field 4: outside the page',
    'document.other.deep: wrong': 'Document: wrong',
  }
  for (const [reason, words] of Object.entries(cases))
    it(`say “${words}”`, () => expect(reasonInWords(reason)).to.equal(words))

  it('leave what a person wrote as it is', () => {
    for (const reason of ['note: wrong patient', 'The document: not mine', 'document.attachment'])
      expect(reasonInWords(reason)).to.equal(reason)
  })
})
