import { expect } from 'chai'
import { Refusal } from '../../../server/domain/refusal.ts'
import { checkDraft, checkFilled, crowdedTexts, fillingProblems } from '../../../server/domain/task/filling.ts'
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

  const refusalOf = (check: () => unknown) => {
    try {
      check()
    } catch (error) {
      return error as Refusal
    }
    return undefined
  }
  const required = { ...text, required: true }

  it('is refused with a sentence for programs and one for the signer, and accepted when all is there', () => {
    expect(refusalOf(() => checkFilled([required], { 0: 'x' }, everything, []))).to.equal(undefined)
    const refusal = refusalOf(() => checkFilled([required], { 7: 'x' }, everything, ['The name is empty.']))
    expect(refusal).to.be.instanceOf(Refusal).and.include({ kind: 'invalid' })
    expect(refusal?.errors).to.deep.equal([
      'values[7]: the document has 1 fields, counted from 0',
      'values[0]: required; the text field on page 1',
      'The name is empty.',
    ])
    expect(refusal?.plain).to.have.length(3)
    expect(refusal?.plain?.[0]).to.equal('This document has only 1 fields.')
    expect(refusal?.plain?.[2]).to.equal('The name is empty.')
    expect(refusal?.plain?.join()).to.not.contain('values[')
    const further = refusalOf(() => checkFilled([required], { 0: 'x' }, everything, ['The name is empty.']))
    expect(further?.errors).to.deep.equal(['The name is empty.'])
  })

  it('needs nothing while it is a draft, but what is there must be right', () => {
    const box = aField({ type: 'CheckBox', required: true })
    expect(refusalOf(() => checkDraft([required, box], {}, everything, []))).to.equal(undefined)
    expect(refusalOf(() => checkDraft([required, box], { 0: true }, everything, []))?.errors).to.deep.equal([
      'values[0]: text',
    ])
    expect(refusalOf(() => checkDraft([], {}, everything, ['x']))?.errors).to.deep.equal(['x'])
  })

  it('is refused for each text that is too long for its box', () => {
    const { errors, plain, kind } = crowdedTexts([text, text], [1])
    expect([kind, errors.length, plain?.length]).to.deep.equal(['invalid', 1, 1])
    expect(errors[0]).to.match(/^values\[1\]: /)
  })
})
