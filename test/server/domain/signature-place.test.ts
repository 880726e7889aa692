import { expect } from 'chai'
import { type SignatureRule, signaturePlace } from '../../../server/domain/task/signature-place.ts'

describe('where a signature goes', () => {
  const checkbox = [{ type: 'CheckBox' }] as const
  const cases: [rule: SignatureRule, place: string | null][] = [
    ['required', null],
    ['atEnd', 'certificatePage'],
    ['notNeeded', 'notAsked'],
  ]
  for (const [rule, place] of cases) {
    it(`is ${place ?? 'nowhere, so that the document is refused,'} without a field for it under the rule ${rule}`, () => {
      expect(signaturePlace(checkbox, rule)).to.equal(place)
      expect(signaturePlace([], rule)).to.equal(place)
    })

    it(`is the field for it under the rule ${rule}`, () => {
      expect(signaturePlace([...checkbox, { type: 'VisibleSignature' }], rule)).to.equal('onPages')
    })
  }
})
