import { expect } from 'chai'
import type { MapFileInput } from '../../../lib/mapping/map-file.ts'
import { patient } from '../../support/hl7/a-bundle.ts'
import { mappedBundle, withPatient } from '../../support/hl7/mapped-bundle.ts'
import { bodyOf, heldBy } from '../../support/hl7/what-became.ts'

describe('A message in FHIR R4 about a patient', () => {
  const read: [trap: string, json: unknown, map: MapFileInput, patient: object][] = [
    [
      'an identifier without a type',
      withPatient({
        identifier: [
          { system: 'urn:lake', value: 'L-1' },
          { system: 'urn:other', value: 'O-1' },
        ],
      }),
      { mrnAuthority: 'urn:lake' },
      { externalId: 'urn:lake|L-1' },
    ],
    [
      'an identifier that is no longer used',
      withPatient({
        identifier: [
          { use: 'old', type: { coding: [{ code: 'MR' }] }, value: 'OLD1' },
          ...(patient.identifier as object[]),
        ],
      }),
      {},
      { externalId: 'urn:oid:1.2.36.146.595.217.0.1|WC100098' },
    ],
    [
      'a Social Security Number by its system',
      withPatient({
        identifier: [
          ...(patient.identifier as object[]),
          { system: 'http://hl7.org/fhir/sid/us-ssn', value: '123-45-6780' },
        ],
      }),
      {},
      {
        identifiers: [
          { authority: 'mrn', value: 'WC100098' },
          { authority: 'ssn4', value: '6780' },
        ],
      },
    ],
    [
      'an official name after a nickname',
      withPatient({
        name: [
          { use: 'nickname', family: 'R', given: ['T'] },
          { use: 'official', family: 'Rowan', given: ['Tess'] },
        ],
      }),
      {},
      {
        names: [
          { use: 'official', family: 'Rowan', given: ['Tess'] },
          { use: 'nickname', family: 'R', given: ['T'] },
        ],
      },
    ],
    [
      'a name that is no longer used',
      withPatient({
        name: [
          { use: 'old', family: 'Alt', given: ['Tess'] },
          { family: 'Rowan', given: ['Tess'] },
        ],
      }),
      {},
      { names: [{ use: null, family: 'Rowan', given: ['Tess'] }] },
    ],
    ['another gender', withPatient({ gender: 'other' }), {}, { sex: 'Unknown' }],
    [
      'a house that was left',
      withPatient({
        address: [
          { postalCode: '55801', period: { end: '2020' } },
          { line: ['1', 'Apt 2'], postalCode: '55802' },
        ],
      }),
      {},
      { addresses: [{ line: '1, Apt 2', city: '', state: '', postalCode: '55802' }] },
    ],
    [
      'a fax, and ranks',
      withPatient({
        telecom: [
          { system: 'fax', value: '1' },
          { system: 'phone', value: '2' },
          { system: 'email', value: 'a@example.org', rank: 1 },
        ],
      }),
      {},
      {
        telecoms: [
          { system: 'email', value: 'a@example.org', use: null },
          { system: 'phone', value: '2', use: null },
        ],
      },
    ],
  ]
  for (const [trap, json, map, expected] of read)
    it(`is read with ${trap}`, () => expect(bodyOf(mappedBundle(json, map)).patient).to.deep.include(expected))

  const refused: [trap: string, json: unknown, reason: string][] = [
    [
      'a name in one text',
      withPatient({ name: [{ text: 'Tess Rowan' }] }),
      'Patient.name: has no name with both a family name and a given name',
    ],
    [
      'an address in one text',
      withPatient({ address: [{ text: '98 Birch Lane, Duluth' }] }),
      'Patient.address: has no address with a postal code',
    ],
    ['a year of birth', withPatient({ birthDate: '1952' }), 'Patient.birthDate: is not a full date'],
    ['a month of birth', withPatient({ birthDate: '1952-06' }), 'Patient.birthDate: is not a full date'],
    ['a gender that FHIR does not have', withPatient({ gender: 'F' }), 'Patient.gender: is not a code of FHIR R4'],
    ['another shape', withPatient({ name: 'Rowan' }), 'DocumentReference.subject: name: a list'],
  ]
  for (const [trap, json, reason] of refused)
    it(`is held with ${trap}`, () => expect(heldBy(mappedBundle(json))).to.include(reason))
})
