import { expect } from 'chai'
import { fillingProblems } from '../../../server/domain/task/filling.ts'
import { aField } from '../../support/pdf/a-completion.ts'

describe('What a signer fills in', () => {
  const text = aField({ type: 'TextArea' })
  const everything = [0, 0x10ffff]

  it('counts the characters of a text as the contract does: an emoji is one', () => {
    expect(fillingProblems([text], { 0: '😀'.repeat(4_000) }, everything)).to.deep.equal([])
    const tooLong = ['values[0]: text of at most 4000 characters']
    expect(fillingProblems([text], { 0: '😀'.repeat(4_001) }, everything)).to.deep.equal(tooLong)
    expect(fillingProblems([text], { 0: 'x'.repeat(4_001) }, everything)).to.deep.equal(tooLong)
  })

  it('takes the text that the sender gave where the signer writes none', () => {
    const required = { ...text, required: true }
    expect(fillingProblems([{ ...required, value: 'As discussed' }], {}, everything)).to.deep.equal([])
    expect(fillingProblems([{ ...required, value: 'As discussed' }], { 0: ' ' }, everything)).to.have.length(1)
    expect(fillingProblems([required], {}, everything)).to.deep.equal(['values[0]: required; the text field on page 1'])
  })

  it('takes nothing for a field that signing fills in', () => {
    const fields = [aField({ required: true }), aField({ type: 'DateSigned', required: true })]
    expect(fillingProblems(fields, {}, everything)).to.deep.equal([])
    const given = fillingProblems(fields, { 0: 'me', 1: '2026-01-15' }, everything)
    expect(given).to.deep.equal(
      [0, 1].map((i) => `values[${i}]: left out; it is filled in when the document is signed`),
    )
  })

  it('names a required checkbox that is not checked, and values of the wrong kind', () => {
    const fields = [aField({ type: 'CheckBox', required: true, page: 2 }), text]
    for (const checked of [false, true])
      expect(
        fillingProblems([aField({ type: 'CheckBox', required: false })], { 0: checked }, everything),
      ).to.deep.equal([])
    expect(fillingProblems(fields, { 0: true }, everything)).to.deep.equal([])
    expect(fillingProblems(fields, { 0: false }, everything)).to.deep.equal([
      'values[0]: must be checked; the checkbox on page 2',
    ])
    expect(fillingProblems(fields, { 0: 'yes', 1: true }, everything)).to.deep.equal([
      'values[0]: true or false',
      'values[1]: text',
    ])
  })
})
