/** Errors of the service as pages show them: never with a path of a message. */
import { expect } from 'chai'
import { errorInWords } from '../../server/web/shared/text/error-words.ts'
import english from '../../server/web/words/languages/en/shared.ts'

/** As the pages name fields. */
const names = Object.fromEntries(
  Object.entries(english).flatMap(([key, text]) =>
    key.startsWith('fieldName.') ? [[key.replace('fieldName.', ''), String(text)]] : [],
  ),
)

describe('Errors in words', () => {
  const cases = {
    'organizationIds: at least one organization': 'Organizations: at least one organization.',
    'password: easy to guess; choose four words that are unrelated':
      'Password: easy to guess; choose four words that are unrelated.',
    'addresses[0].postalCode: required': 'Postal code: required.',
    'performers[0].signer.userNPI: 10 digits': 'NPI: 10 digits.',
    'addresses[2]: not an object': 'Addresses: not an object.',
    'until: a time to come, such as 2027-01-01': 'Valid until: a time to come, such as 2027-01-01.',
    'clinicalDateLabel: required': 'Clinical date label: required.',
  }
  for (const [error, words] of Object.entries(cases))
    it(`say “${words}”`, () => expect(errorInWords(error, names)).to.equal(words))

  it('leave a sentence as it is', () => {
    for (const sentence of [
      'There is no receiver 7.',
      'This file: not a PDF',
      'The audit log is not whole: row 3 was changed.',
      'https://example.org is not reached',
    ])
      expect(errorInWords(sentence, names)).to.equal(sentence)
  })
})
