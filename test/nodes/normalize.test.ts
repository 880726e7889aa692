/** Values as other systems write them, in tables: each becomes the value of the interface, or stays as it is and is refused. */
import { runInNewContext } from 'node:vm'
import { expect } from 'chai'
import { dayWarnings, normalizedBody, withUnderstood } from '../../nodes/shared/normalize/body.ts'
import { base64Of } from '../../nodes/shared/normalize/data-url.ts'
import { dateOf } from '../../nodes/shared/normalize/date.ts'
import { nameOf, namesOf } from '../../nodes/shared/normalize/name.ts'
import { sexOf } from '../../nodes/shared/normalize/sex.ts'

const NORA = { family: 'Hart', given: ['Nora'] }

type Row = readonly [given: unknown, becomes: unknown]
type Table = readonly [name: string, normalize: (given: unknown) => unknown, changed: readonly Row[], kept: unknown[]]

const TABLES: readonly Table[] = [
  [
    'a sex',
    sexOf,
    [
      ['F', 'Female'],
      ['m', 'Male'],
      ['U', 'Unknown'],
      ['a', 'Ambiguous'],
      [' female ', 'Female'],
      ['MALE', 'Male'],
      ['Ambiguous', 'Ambiguous'],
    ],
    ['O', 'other', 'W', '', 'constructor', 1, null, undefined, {}],
  ],
  [
    'a date',
    (given) => dateOf(given, null),
    [
      ['1948-03-12', '1948-03-12'],
      ['19480312', '1948-03-12'],
      [19480312, '1948-03-12'],
      [' 19480312 ', '1948-03-12'],
      ['194803120930', '1948-03-12'],
      ['19480312233000.0000+0100', '1948-03-12'],
      ['1948-03-12T23:30:00', '1948-03-12'],
      ['1948-03-12 23:30', '1948-03-12'],
      ['1948-03-12T23:30:00.000-06:00', '1948-03-12'],
      [new Date('1948-03-12'), '1948-03-12'],
      [new Date(1948, 2, 12), '1948-03-12'],
      [new Date(1948, 2, 12).toISOString(), '1948-03-12'],
      ['2026-01-15T00:00:00Z', '2026-01-15'],
      [new Date(2026, 0, 15, 23, 59).getTime(), '2026-01-15'],
      [new Date(2026, 0, 15, 0, 1).toISOString(), '2026-01-15'],
      [runInNewContext(`new Date('1948-03-12')`), '1948-03-12'],
    ],
    [
      '12/24/2026',
      '03-12-1948',
      '480312',
      '194803',
      1_768_469_460,
      480_312,
      1948.5,
      Number.POSITIVE_INFINITY,
      'today',
      '',
      null,
      {},
    ],
  ],
  [
    'a name',
    nameOf,
    [
      ['Hart, Nora', NORA],
      [' Hart ,Nora  Jean ', { family: 'Hart', given: ['Nora', 'Jean'] }],
      ['van der Berg, Nora', { family: 'van der Berg', given: ['Nora'] }],
      [{ family: 'Hart, Nora' }, NORA],
      [
        { use: 'official', family: 'Hart, Nora', given: [] },
        { use: 'official', ...NORA },
      ],
    ],
    [
      'Nora Hart',
      'Hart',
      'Hart,',
      ', Nora',
      'Hart, Nora, MD',
      '',
      NORA,
      { family: 'Hart, Jr.', given: ['Nora'] },
      { family: 'Nora Hart' },
      null,
      7,
    ],
  ],
]

describe('what another system writes', () => {
  for (const [name, normalize, changed, kept] of TABLES) {
    it(`is read as ${name} where that is what it says`, () => {
      for (const [given, becomes] of changed) expect(normalize(given), String(given)).to.deep.equal(becomes)
    })

    it(`stays as it is where it could be another thing than ${name}`, () => {
      for (const given of kept) expect(normalize(given), String(given)).to.equal(given)
    })
  }

  it('is a day in the time zone that is set, whatever that of this machine is', () => {
    const moment = '2026-01-16T05:30:00Z'
    for (const given of [moment, new Date(moment), Date.parse(moment)]) {
      expect(dateOf(given, 'America/Chicago')).to.equal('2026-01-15')
      expect(dateOf(given, 'Europe/Berlin')).to.equal('2026-01-16')
    }
    // The hour that daylight saving time skips, and the one that it repeats.
    expect(dateOf('2026-03-08T08:30:00Z', 'America/Chicago')).to.equal('2026-03-08')
    expect(dateOf('2026-11-01T04:59:59Z', 'America/Chicago')).to.equal('2026-10-31')
    // A day that is written is a day everywhere.
    for (const day of ['2026-01-15', '20260115', '2026-01-15T23:30:00-06:00', '2026-01-15T00:00:00Z'])
      for (const zone of ['America/Chicago', 'Asia/Tokyo']) expect(dateOf(day, zone)).to.equal('2026-01-15')
  })

  it('is not judged by the time zone of the machine without a warning', () => {
    const body = { patient: { birthDate: '1948-03-12T05:30:00Z' }, document: { effectiveDate: '2026-01-15' } }
    const warnings = dayWarnings(body, null)
    expect(warnings).to.have.length(1)
    expect(warnings[0]).to.match(/^patient.birthDate: .*time zone of this machine; set Time zone/)
    expect(dayWarnings(body, 'America/Chicago')).to.deep.equal([])
    expect(dayWarnings({}, null)).to.deep.equal([])
    expect(dayWarnings({ patient: { birthDate: new Date('1948-03-12') } }, null)).to.deep.equal([])
    const { patient } = normalizedBody(body, 'America/Chicago') as typeof body
    expect(patient.birthDate).to.equal('1948-03-11')
  })

  it('leaves a date that is none to the contract', () => {
    const impossible = new Date('no date')
    expect(dateOf(impossible, null)).to.equal(impossible)
    expect(dateOf('19481332', null)).to.equal('1948-13-32')
  })

  it('is one name, or a list of names', () => {
    expect(namesOf('Hart, Nora')).to.deep.equal([NORA])
    expect(namesOf(['Hart, Nora', NORA])).to.deep.equal([NORA, NORA])
    expect(namesOf(undefined)).to.equal(undefined)
  })

  it('is the PDF of a data: URL', () => {
    expect(base64Of('data:application/pdf;base64,JVBERi0=')).to.equal('JVBERi0=')
    expect(base64Of('DATA:application/PDF;name=order.pdf;base64,JVBERi0=')).to.equal('JVBERi0=')
    expect(base64Of('JVBERi0=')).to.equal('JVBERi0=')
    for (const other of ['data:image/png;base64,JVBERi0=', 'data:application/pdf,%25PDF-', 'data:,'])
      expect(base64Of(other), other).to.equal(undefined)
  })

  it('is changed in its place in the body, and nothing else is', () => {
    const body = { patient: { names: ['Hart, Nora'], sex: 'F', birthDate: '19480312', note: 'F' }, performers: ['F'] }
    expect(normalizedBody({ ...body, document: { effectiveDate: '20260115' } }, null)).to.deep.equal({
      patient: { names: [NORA], sex: 'Female', birthDate: '1948-03-12', note: 'F' },
      performers: ['F'],
      document: { effectiveDate: '2026-01-15' },
    })
    expect(normalizedBody({ patient: 'Nora', document: {} }, null)).to.deep.equal({ patient: 'Nora', document: {} })
  })

  it('is named where a value is refused', () => {
    expect(withUnderstood('patient.sex: one of Male')).to.equal(
      'patient.sex: one of Male; F, M, U and A are understood, too',
    )
    expect(withUnderstood('patient.names[1].given: required')).to.match(/"Hart, Nora"$/)
    expect(withUnderstood('patient.externalId: required')).to.equal('patient.externalId: required')
  })
})
