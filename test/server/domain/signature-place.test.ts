import { expect } from 'chai'
import { CONSENT } from '../../../server/domain/task/consent.ts'
import { rulesFor, type SignatureRule, signaturePlace } from '../../../server/domain/task/signature-place.ts'

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

describe('The rules of signing', () => {
  it('are those of the template where it has any, else those of the organization', () => {
    const organization = { signatureRule: 'atEnd', coversTokens: true } as const
    expect(rulesFor(organization, null)).to.deep.equal(organization)
    expect(rulesFor(organization, { signatureRule: null, coversTokens: null })).to.deep.equal(organization)
    expect(rulesFor(organization, { signatureRule: 'required', coversTokens: false })).to.deep.equal({
      ...{ signatureRule: 'required', coversTokens: false },
    })
  })

  it('have a text of consent that does not change without a new version', () => {
    expect(CONSENT).to.deep.equal({
      version: '2',
      text: 'By signing you confirm that you have reviewed this document, and agree that your electronic signature is as binding as a handwritten one.',
    })
  })
})
