import { expect } from 'chai'
import { takeApart } from '../../../lib/hl7/batch.ts'
import { HL7_LIMITS } from '../../../lib/hl7/limits.ts'
import { segmentsOf } from '../../../lib/hl7/message.ts'
import { parseHeader, parseMessage } from '../../../lib/hl7/parse-message.ts'
import { valueAt } from '../../../lib/hl7/value-at.ts'

const HEADER = 'MSH|^~\\&|EPIC|LAKESIDE|CS|CS|20260115||MDM^T02|MSG1|P|2.5.1'
const parsed = (rest: string) => parseMessage(Buffer.from(`${HEADER}\r${rest}`))

describe('The limits of a message', () => {
  const { repetitions, components, subcomponents, fields, escapes, valuesPerField, segments } = HL7_LIMITS
  /** Each row: what there is too many of, the most that is read, a field with one more, and what the error names. */
  const rows: [what: string, within: string, above: string, says: string][] = [
    ['repetitions', '~'.repeat(repetitions - 1), '~'.repeat(repetitions), 'PID-3 has more than 9,999 repetitions'],
    ['components', '^'.repeat(components - 1), '^'.repeat(components), 'PID-3 has more than 999 components'],
    [
      'subcomponents',
      '&'.repeat(subcomponents - 1),
      '&'.repeat(subcomponents),
      'PID-3 has more than 999 subcomponents',
    ],
    ['values', '^^^^~'.repeat(9000), '^^^^^^~'.repeat(valuesPerField / 7 + 1), 'PID-3 has more than 50,000 values'],
    [
      'escapes',
      '\\F\\'.repeat(escapes),
      '\\F\\'.repeat(escapes + 1),
      'PID-3: A value has more than 250,000 escape sequences',
    ],
  ]
  for (const [what, within, above, says] of rows) {
    it(`let pass as many ${what} as there may be`, () =>
      expect(() => valueAt(parsed(`PID|1||${within}`), 'PID-3')).to.not.throw())
    it(`name the field with more ${what}, and what to do, when it is read and not before`, () => {
      const message = parsed(`PID|1||${above}||Rowan`)
      expect(valueAt(message, 'PID-5')).to.equal('Rowan')
      expect(() => valueAt(message, 'PID-3'))
        .to.throw(says)
        .and.include({ name: 'Hl7Error' })
      expect(() => valueAt(message, 'PID-3')).to.throw('Check the delimiters in MSH-2')
    })
  }

  it('name a segment with more fields', () => {
    expect(valueAt(parsed(`PID|1||A${'|'.repeat(fields - 3)}`), 'PID-3')).to.equal('A')
    expect(() => valueAt(parsed(`PID|1||A${'|'.repeat(fields)}`), 'PID-3')).to.throw('PID has more than 999 fields')
  })

  it('count segments, and blank lines with them', () => {
    const most = segments - 2
    expect(parsed('NTE|\r'.repeat(most)).segments).to.have.length(most + 1)
    for (const line of ['NTE|\r', '\r', '\r\n'])
      expect(() => parsed(`${line.repeat(segments)}NTE|\r`)).to.throw('more than 200,000 segments')
  })

  it('count the lines and the messages of a batch', () => {
    const apart = (line: string, count: number) => takeApart(Buffer.from(`BHS|^~\\&|HUB\r${line.repeat(count)}BTS\r`))!
    expect(apart('\r', HL7_LIMITS.segmentsPerBatch - 2).findings).to.deep.equal([])
    expect(apart('\r', HL7_LIMITS.segmentsPerBatch).findings.at(-1)).to.contain('more than 500,000 segments')
    expect(apart('MSH|\r', HL7_LIMITS.messagesPerBatch).findings).to.deep.equal([])
    expect(apart('MSH|\r', HL7_LIMITS.messagesPerBatch + 1).findings.at(-1)).to.contain('more than 10,000 messages')
  })

  it('count the values of all fields that are read', () => {
    const message = parsed(`OBX|1||${'^'.repeat(900)}\r`.repeat(1200))
    const read = () => segmentsOf(message, 'OBX').map((segment) => segment.field(3))
    expect(read).to.throw('values in the fields that are read')
  })

  it('do not count a field twice', () => {
    const message = parsed(`OBX|1||${'^'.repeat(900)}\r`)
    for (let time = 0; time < 2000; time++) valueAt(message, 'OBX-3')
  })

  it('end the header before it is read', () => {
    expect(valueAt(parseHeader(Buffer.from(`${HEADER}\r???`)), 'MSH-10')).to.equal('MSG1')
    expect(() => parseHeader(Buffer.from(HEADER + 'x'.repeat(70_000)))).to.throw('MSH has more than 65,536 bytes')
  })

  it('leave a document alone, which is no matter of splitting', () => {
    const document = Buffer.alloc(10_000_000, 'PDF').toString('base64')
    expect(valueAt(parsed(`OBX|1|ED|PDF||^^^^${document}`), 'OBX-5.5')).to.equal(document)
  })
})
