import { expect } from 'chai'
import type { MapFileInput } from '../../../lib/mapping/map-file.ts'
import { mdm, type Segments } from '../../support/hl7/an-order.ts'
import { mapped, pid } from '../../support/hl7/mapped-order.ts'
import { bodyOf, heldBy } from '../../support/hl7/what-became.ts'

describe('A message in HL7 v2 about a patient', () => {
  const read: [trap: string, changes: Segments, map: MapFileInput, patient: object][] = [
    ['with leading zeros in his number', pid(3, '0048213^^^WILLOW^MR'), {}, { externalId: 'WILLOW|0048213' }],
    ['with an account number, which is no id', { ...pid(18, 'ACC1^^^W^AN') }, {}, { externalId: 'WILLOW|WC100098' }],
    [
      'with two numbers, of which one counts',
      pid(3, 'NF200013^^^NORTH^MR~WC100013^^^WILLOW^MR'),
      { mrnAuthority: 'WILLOW' },
      { externalId: 'WILLOW|WC100013', identifiers: [{ authority: 'mrn', value: 'WC100013' }] },
    ],
    ['with an internal id alone', pid(3, '42^^^WILLOW^PI'), {}, { externalId: 'WILLOW|42', identifiers: [] }],
    [
      'with punctuation in his number',
      pid(3, '00-48213^^^WILLOW^MR'),
      {},
      { externalId: 'WILLOW|00-48213', identifiers: [{ authority: 'mrn', value: '0048213' }] },
    ],
    ['with a number that is too long', pid(3, 'WC1000000011^^^WILLOW^MR'), {}, { identifiers: [] }],
    [
      'with a Social Security Number',
      pid(19, '123-45-6780'),
      {},
      {
        identifiers: [
          { authority: 'mrn', value: 'WC100098' },
          { authority: 'ssn4', value: '6780' },
        ],
      },
    ],
    [
      'with a Social Security Number that may be sent',
      pid(19, '123-45-6780'),
      { ssn: 'full' },
      {
        identifiers: [
          { authority: 'mrn', value: 'WC100098' },
          { authority: 'ssn', value: '123456780' },
        ],
      },
    ],
    [
      'with a Social Security Number that may not',
      pid(19, '123-45-6780'),
      { ssn: 'never' },
      { identifiers: [{ authority: 'mrn', value: 'WC100098' }] },
    ],
    [
      'with a masked Social Security Number',
      pid(19, 'XXX-XX-1234'),
      {},
      {
        identifiers: [
          { authority: 'mrn', value: 'WC100098' },
          { authority: 'ssn4', value: '1234' },
        ],
      },
    ],
    ...['000-12-3456', '666123456', '987654320', '123456789', '111111111'].map(
      (ssn): [string, Segments, MapFileInput, object] => [
        `with the stand-in ${ssn}`,
        pid(19, ssn),
        { ssn: 'full' },
        { identifiers: [{ authority: 'mrn', value: 'WC100098' }] },
      ],
    ),
    [
      'with a prefix of his family name',
      pid(5, 'van der Berg&van der&Berg^Ida^^^^^L'),
      {},
      { names: [{ use: 'official', family: 'van der Berg', given: ['Ida'] }] },
    ],
    [
      'with a nickname before his legal name',
      pid(5, 'Lund^Idy^^^^^N~Lund^Ida^Ann Beth^^^^L'),
      {},
      {
        names: [
          { use: 'official', family: 'Lund', given: ['Ida', 'Ann', 'Beth'] },
          { use: 'nickname', family: 'Lund', given: ['Idy'] },
        ],
      },
    ],
    [
      'with an incomplete alias',
      pid(5, 'Lund^Ida~Ida^^^^^^A'),
      {},
      { names: [{ use: 'official', family: 'Lund', given: ['Ida'] }] },
    ],
    [
      'with delimiters in his name',
      pid(5, 'Hart \\T\\ Rowe^Nora'),
      {},
      { names: [{ use: 'official', family: 'Hart & Rowe', given: ['Nora'] }], birthDate: '1952-06-07' },
    ],
    ...Object.entries({
      M: 'Male',
      F: 'Female',
      U: 'Unknown',
      A: 'Ambiguous',
      O: 'Unknown',
      N: 'Unknown',
      X: 'Unknown',
      '': 'Unknown',
    }).map(([code, sex]): [string, Segments, MapFileInput, object] => [
      `of the sex "${code}"`,
      pid(8, code),
      {},
      { sex },
    ]),
    ['of another sex, as the map says', pid(8, 'O'), { sexOther: 'Ambiguous' }, { sex: 'Ambiguous' }],
    [
      'born just before midnight, whatever the time zone',
      pid(7, '19520607235959-1100'),
      {},
      { birthDate: '1952-06-07' },
    ],
    [
      'with a bad address, and one without a postal code',
      pid(11, 'Lost^^Duluth^MN^55801^^BA~2 Oak^^Duluth^MN~1 Alder^Apt 2^Duluth^MN^55802-1234'),
      {},
      { addresses: [{ line: '1 Alder, Apt 2', city: 'Duluth', state: 'MN', postalCode: '55802-1234' }] },
    ],
    [
      'whose home is not the first address',
      pid(11, 'Work^^D^MN^55801^^O~Home^^D^MN^55802^^H'),
      {},
      {
        addresses: [
          { line: 'Home', city: 'D', state: 'MN', postalCode: '55802' },
          { line: 'Work', city: 'D', state: 'MN', postalCode: '55801' },
        ],
      },
    ],
    [
      'with an e-mail address',
      pid(13, '^NET^Internet^a@example.org'),
      {},
      { telecoms: [{ system: 'email', value: 'a@example.org' }] },
    ],
    [
      'with a number in parts',
      pid(13, '^PRN^CP^^1^218^5550101'),
      {},
      { telecoms: [{ system: 'phone', value: '1-218-5550101', use: 'mobile' }] },
    ],
    [
      'with a number of a later version',
      pid(13, '^WPN^PH^^^^^^^^^+1 218 555 0101'),
      {},
      { telecoms: [{ system: 'phone', value: '+1 218 555 0101', use: 'work' }] },
    ],
  ]
  it('with a number that is empty has no telecom of it', () => {
    for (const empty of ['^PRN^PH', '^NET^Internet', '""', '^PRN^CP^^""'])
      expect(bodyOf(mapped(pid(13, empty))).patient.telecoms, empty).to.deep.equal([])
  })

  for (const [trap, changes, map, patient] of read)
    it(trap, () => expect(bodyOf(mapped(changes, map)).patient).to.deep.include(patient))

  const refused: [trap: string, changes: Segments, reason: RegExp][] = [
    ['who is missing', { PID: null }, /^PID: no patient$/],
    ['and another one', { PID: [String(mdm.PID), String(mdm.PID)] }, /^PID: several patients$/],
    ['without an id', pid(3, 'ACC1^^^W^AN'), /^PID-3: has no id of the type MR/],
    [
      'with two numbers',
      pid(3, 'NF200013^^^NORTH^MR~WC100013^^^WILLOW^MR'),
      /^PID-3: has several ids .* mrnAuthority in the map$/,
    ],
    [
      'with two numbers of one authority',
      pid(3, 'WC100013^^^WILLOW^MR~WC100014^^^WILLOW^MR'),
      /^PID-3: has several ids of one type; set mrnAuthority in the map$/,
    ],
    [
      'whose only name was cut short',
      { ...pid(5, 'Row#^Tess'), MSH: String(mdm.MSH).replace('^~\\&', '^~\\&#') },
      /^PID-5: has no name with both a family name and a given name$/,
    ],
    ['with one name', pid(5, 'Prince'), /^PID-5: has no name with both a family name and a given name$/],
    ['who was just born', pid(5, 'Lund^BABYBOY'), /^PID-5\(1\): is a placeholder for a given name/],
    ['of a sex that nobody knows', pid(8, 'Q'), /^PID-8: a code that table 0001 does not have$/],
    ['born in a year', pid(7, '1944'), /^PID-7: is not a full date$/],
    ['born in a month', pid(7, '194410'), /^PID-7: is not a full date$/],
    ['born on a day that does not exist', pid(7, '19440230'), /^PID-7: is not a full date/],
    ['whose date of birth is deleted', pid(7, '""'), /^PID-7: no date$/],
    ['without a postal code', pid(11, '9 Pine^^Duluth^MN'), /^PID-11: has no address with a postal code$/],
  ]
  for (const [trap, changes, reason] of refused)
    it(`${trap} is held`, () => expect(heldBy(mapped(changes)).join('\n')).to.match(new RegExp(reason.source, 'm')))
})
