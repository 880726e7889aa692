/** Who a patient is (choice: Matching a patient): known, new, or for a person to decide. */
import { expect } from 'chai'
import type { Patient } from '../../../lib/contract/task/patient.ts'
import { demographicKey, matchPatient } from '../../../server/domain/task/matching.ts'

const aPatient = (change: Partial<Patient> = {}): Patient => ({
  externalId: 'W|1',
  names: [{ family: 'Lund', given: ['Ida'] }],
  sex: 'Female',
  birthDate: '1946-05-05',
  addresses: [{ postalCode: '55802' }],
  identifiers: [{ authority: 'mrn', value: 'WC100005' }],
  ...change,
})
const known = (change: Partial<Patient> = {}, id = 5) => ({ id, patient: aPatient(change) })
const named = (family: string, given = 'Ida') => ({ names: [{ family, given: [given] }] })

describe('Matching a patient', () => {
  for (const [rule, change] of [
    ['with the same demographics', {}],
    ['who moved', { addresses: [{ postalCode: '55901' }] }],
    ['with another family name, the same birth date (she married)', named('Berg')],
    ['with another birth date, the same family name (it was mistyped)', { birthDate: '1946-05-06' }],
    ['with another spelling', named(' LUND ')],
  ] as const)
    it(`a known externalId ${rule} is that patient`, () => {
      expect(matchPatient(aPatient(change as Partial<Patient>), known(), [])).to.deep.equal({
        outcome: 'known',
        patientId: 5,
      })
    })

  it('a known externalId with another family name and another birth date is a collision', () => {
    const match = matchPatient(aPatient({ ...named('Berg'), birthDate: '1950-01-01' }), known(), [])
    expect(match).to.deep.include({ outcome: 'review', candidateIds: [5] })
  })

  it('a new externalId with nobody alike is a new patient', () => {
    expect(matchPatient(aPatient(), null, [])).to.deep.equal({ outcome: 'new' })
  })

  it('a new externalId with the same demographics and an identifier that agrees is that patient', () => {
    const sent = aPatient({ externalId: 'W|2', identifiers: [{ authority: 'mrn', value: 'wc100005' }] })
    expect(matchPatient(sent, null, [known({}, 4), known({ identifiers: [] }, 6)])).to.deep.equal({
      outcome: 'known',
      patientId: 4,
    })
  })

  it('a new externalId without identifiers is a new patient when the sex is known, and is for a person when it is not', () => {
    for (const [sex, outcome] of Object.entries({ Female: 'new', Male: 'new', Unknown: 'review', Ambiguous: 'review' }))
      expect(matchPatient(aPatient({ sex: sex as Patient['sex'], identifiers: [] }), null, []), sex).to.include({
        outcome,
      })
    expect(matchPatient(aPatient({ sex: 'Unknown' }), null, [])).to.deep.equal({ outcome: 'new' })
  })

  it('names that are alike only when they are written together are not the same', () => {
    const [one, other] = [named('Lund', 'Ida'), named('Lun', 'Dida')].map((change) => demographicKey(aPatient(change)))
    expect(one).not.to.equal(other)
    expect(demographicKey(aPatient(named(' LUND ', 'ida')))).to.equal(one)
  })

  it('a patient without a list of identifiers agrees with no one', () => {
    const without = { identifiers: undefined }
    expect(matchPatient(aPatient(without), null, [known()]).outcome).to.equal('review')
    expect(matchPatient(aPatient(), null, [known(without)]).outcome).to.equal('review')
    expect(matchPatient(aPatient(without), null, [known(without)]).outcome).to.equal('review')
  })

  it('hyphens of an SSN do not make it another one', () => {
    const ssn = (value: string) => ({ identifiers: [{ authority: 'ssn' as const, value }] })
    const match = matchPatient(aPatient(ssn('987-65-4320')), null, [known(ssn('987654320'))])
    expect(match).to.deep.equal({ outcome: 'known', patientId: 5 })
  })

  it('the same digits of another authority do not agree', () => {
    const sent = aPatient({ identifiers: [{ authority: 'ssn4', value: '4320' }] })
    const match = matchPatient(sent, null, [known({ identifiers: [{ authority: 'mrn', value: '4320' }] })])
    expect(match.outcome).to.equal('review')
  })

  it('the same demographics and no identifier that agrees is a collision with all who are alike', () => {
    const match = matchPatient(aPatient({ identifiers: [] }), null, [known({}, 5), known({}, 6)])
    expect(match).to.deep.include({ outcome: 'review', candidateIds: [5, 6] })
  })

  for (const sex of ['Unknown', 'Ambiguous'] as const) {
    it(`${sex} without any identifier is for a person`, () => {
      const match = matchPatient(aPatient({ sex, identifiers: [] }), null, [])
      expect(match).to.deep.include({ outcome: 'review', candidateIds: [] })
      expect(matchPatient(aPatient({ sex, identifiers: undefined }), null, []).outcome).to.equal('review')
    })
    it(`${sex} with an identifier, or known by externalId, is not`, () => {
      expect(matchPatient(aPatient({ sex }), null, []).outcome).to.equal('new')
      expect(matchPatient(aPatient({ sex, identifiers: [] }), known(), []).outcome).to.equal('known')
    })
  }

  it('a reason says what a person must decide, and repeats nothing of the patient', () => {
    const sent = aPatient({ ...named('Berg'), birthDate: '1950-01-01' })
    for (const match of [
      matchPatient(sent, known(), []),
      matchPatient(aPatient({ identifiers: [] }), null, [known()]),
    ]) {
      if (match.outcome !== 'review') throw new Error(match.outcome)
      expect(match.reason).to.match(/a person must decide who the patient is$/)
      expect(match.reason).not.to.match(/Berg|Lund|Ida|19\d\d|W\|1/)
    }
  })

  it('demographics are compared without case and spacing, and by all four parts', () => {
    const key = demographicKey(aPatient())
    expect(demographicKey(aPatient(named(' lund', 'IDA ')))).to.equal(key)
    for (const change of [named('Lunde'), named('Lund', 'Ada'), { birthDate: '1946-05-06' }, { sex: 'Male' as const }])
      expect(demographicKey(aPatient(change))).not.to.equal(key)
  })
})
