/** What is written can be read: by us, whatever the values, and by two implementations of others. */
import { Hl7Message } from '@medplum/core'
import { expect } from 'chai'
import fc from 'fast-check'
import { Message as TheirMessage } from 'node-hl7-client'
import { usualDelimiters } from '../../../lib/hl7/delimiters.ts'
import { readEscapes } from '../../../lib/hl7/escapes.ts'
import type { Field, Message } from '../../../lib/hl7/message.ts'
import { segmentsOf, withFields } from '../../../lib/hl7/message.ts'
import { parseMessage } from '../../../lib/hl7/parse-message.ts'
import { valueAt } from '../../../lib/hl7/value-at.ts'
import { textOf, writeMessage } from '../../../lib/hl7/write-message.ts'

const AWKWARD = [
  'Smith & Sons|X^Y',
  'a~b',
  '\\\\server\\share',
  'Núñez',
  '山田',
  'one\r\ntwo',
  '\\T\\',
  '""',
  '\u{1f600}',
  '\x7f',
]

const messageWith = (field: Field): Message => {
  const header = ['|', '^~\\&', 'CS', 'CS', 'EPIC', 'LAKE', '20260115', '', '', 'MSG1', 'P', '2.5.1']
  return {
    delimiters: usualDelimiters,
    characterSet: 'utf-8',
    segments: [
      { name: 'MSH', fields: header.map((value) => (value === '' ? [] : [[[value]]])) },
      { name: 'PID', fields: [[[['1']]], [], field, [[['after']]]] },
    ],
  }
}

const isEmpty = (value: unknown): boolean =>
  value === '' || (Array.isArray(value) && value.every((part: unknown) => isEmpty(part)))
/** Without what is empty at the end, which no message can tell. */
function trimmed(value: unknown): unknown {
  if (!Array.isArray(value)) return value
  const last = value.findLastIndex((part: unknown) => !isEmpty(part))
  return value.slice(0, last + 1).map((part: unknown) => trimmed(part))
}

describe('A written message', () => {
  it('is read with the same values, whatever they are', () => {
    const value = fc.oneof(fc.constantFrom(...AWKWARD), fc.string({ unit: 'grapheme', maxLength: 12 }))
    const field = fc.array(fc.array(fc.array(value, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 3 }), {
      minLength: 1,
      maxLength: 3,
    })
    fc.assert(
      fc.property(field, (one) => {
        const [patient] = segmentsOf(parseMessage(writeMessage(messageWith(one))), 'PID')
        expect(trimmed(patient!.fields[2]!)).to.deep.equal(trimmed(one))
        expect(patient!.fields[3]).to.deep.equal([[['after']]])
      }),
      { numRuns: 500 },
    )
  })

  for (const value of AWKWARD) {
    // @medplum/core does not read escapes, so ours does, of what it found at the place.
    const meant = (raw: string) => readEscapes(raw, usualDelimiters, (bytes) => Buffer.from(bytes).toString())
    const text = textOf(messageWith([[['first'], [value]], [['second']]]))

    it(`is read by @medplum/core with ${JSON.stringify(value)}`, () => {
      const patient = Hl7Message.parse(text).getSegment('PID')!
      expect(meant(patient.getField(3).getComponent(2, 0))).to.equal(value)
      expect(patient.getField(3).getComponent(1, 0, 1)).to.equal('second')
      expect(patient.getField(4).toString()).to.equal('after')
    })

    it(`is read by node-hl7-client with ${JSON.stringify(value)}`, () => {
      // Of several repetitions it gives the first, whichever is asked for.
      const theirs = new TheirMessage({ text: textOf(messageWith([[['first'], [value]]])) })
      expect(theirs.get('PID.3.2').toString()).to.equal(value)
      expect(theirs.get('PID.4').toString()).to.equal('after')
    })
  }

  it('has the escapes and delimiters of the one that was read', () => {
    const kept = [
      [
        '\\H\\bold\\N\\',
        '\\.br\\',
        '\\Z99\\',
        '\\X0D0A\\',
        '\\C2842\\',
        'a\\T\\b',
        '\\\\server\\share',
        '4400#',
        '\\P\\',
      ].join('^'),
      'one&two&&^^~~',
      '""',
    ]
    for (const delimiters of ['^~\\&', '^~\\&#']) {
      const text = `MSH|${delimiters}|CS|CS|EPIC|LAKE|20260115||MDM^T02|M1|P|2.7\rNTE|1||${kept.join('|')}\r`
      const read = parseMessage(Buffer.from(text))
      expect(Buffer.from(writeMessage(read)).toString()).to.equal(text)
      // A segment that was changed is written from its values.
      const [header, note] = read.segments
      const changed = { ...read, segments: [header!, withFields(note!, { 1: [[['2']]] })] }
      expect(valueAt(parseMessage(writeMessage(changed)), 'NTE-1')).to.equal('2')
      expect(valueAt(parseMessage(writeMessage(changed)), 'NTE-3.6')).to.equal('a&b')
    }
  })

  it('has the values of the one that was read in other delimiters and another character set', () => {
    const text = 'MSH|^~\\&|CS|CS|EPIC|LAKE|20260115||MDM^T02|M1|P|2.5.1||||||8859/1\rNTE|1||\\XE9\\|a\\T\\b$\r'
    const read = parseMessage(Buffer.from(text, 'latin1'))
    for (const changed of [
      { ...read, delimiters: { ...read.delimiters, field: '$' } },
      {
        ...read,
        characterSet: 'utf-8',
        segments: [
          { ...read.segments[0]!, name: 'MSH', fields: read.segments[0]!.fields.slice(0, 12) },
          read.segments[1]!,
        ],
      },
    ])
      expect(parseMessage(writeMessage(changed)).segments[1]!.fields.slice(2)).to.deep.equal([
        [[['\u00e9']]],
        [[['a&b$']]],
      ])
  })

  it('is refused when its character set has not all characters, without a word of them', () => {
    const message = { ...messageWith([[['山田']]]), characterSet: 'iso-8859-1' }
    expect(() => writeMessage(message))
      .to.throw('does not')
      .with.property('message')
      .that.does.not.contain('山')
  })

  it('of @medplum/core is read with the same values', () => {
    const theirs = Hl7Message.parse(
      'MSH|^~\\&|A|B|C|D|20260115||ADT^A08|1|P|2.5\rPID|1||WC1^^^LAKE^MR~NF2||Lund&van^Ida',
    )
    const read = parseMessage(Buffer.from(theirs.toString()))
    expect(['PID-3.4', 'PID-3(2)', 'PID-5.1.2', 'PID-5.2'].map((place) => valueAt(read, place))).to.deep.equal([
      'LAKE',
      'NF2',
      'van',
      'Ida',
    ])
  })

  it('of node-hl7-client is read with the same values', () => {
    const theirs = new TheirMessage({ messageHeader: { msh_9_1: 'ADT', msh_9_2: 'A08', msh_10: 'C1', msh_11_1: 'P' } })
    theirs.addSegment('PID').set('3', 'WC1').set('5.1', 'Lund').set('5.2', 'Ida')
    const read = parseMessage(Buffer.from(theirs.toString()))
    expect(['MSH-10', 'PID-3', 'PID-5.1', 'PID-5.2'].map((place) => valueAt(read, place))).to.deep.equal([
      'C1',
      'WC1',
      'Lund',
      'Ida',
    ])
  })
})
