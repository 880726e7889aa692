/** The header of a message, which is read alone before anything else is, and how values are written back. */
import { expect } from 'chai'
import { usualDelimiters } from '../../../lib/hl7/delimiters.ts'
import { escapedWriter, escaper, rawWriter } from '../../../lib/hl7/escapes.ts'
import { countIn, HL7_LIMITS } from '../../../lib/hl7/limits.ts'
import { fieldOf, fieldWith, segmentsOf, withFields } from '../../../lib/hl7/message.ts'
import { parseHeader, parseMessage } from '../../../lib/hl7/parse-message.ts'
import { valueAt } from '../../../lib/hl7/value-at.ts'
import { textOf } from '../../../lib/hl7/write-message.ts'

const HEADER = 'MSH|^~\\&|EPIC|LAKE|CS|CS|20260115||MDM^T02|MSG1|P|2.5.1||||||8859/1'
const latin1 = (text: string) => Buffer.from(text, 'latin1')
const idOf = (text: string) => valueAt(parseHeader(latin1(text)), 'MSH-10')

describe('The header of a message', () => {
  for (const [what, text] of Object.entries({
    'ends with CR': `${HEADER}\rPID|1`,
    'ends with LF': `${HEADER}\nPID|1`,
    'ends with CR and LF': `${HEADER}\r\nPID|1`,
    'is all that there is': HEADER,
    'comes after a frame and blank lines': `\x0b\r\n ${HEADER}\rPID|1`,
    'comes after a byte order mark': `\xef\xbb\xbf${HEADER}\rPID|1`,
    'comes after a byte order mark and a line': `\r\xef\xbb\xbf\r${HEADER}\rPID|1`,
    'comes before what cannot be read': `${HEADER}\r\xff\xfe\rPID|${'~'.repeat(100_000)}`,
  }))
    it(`is read where it ${what}`, () => {
      expect(idOf(text)).to.equal('MSG1')
      const { segments, characterSet } = parseHeader(latin1(text))
      expect([segments.map(({ name }) => name), characterSet]).to.deep.equal([['MSH'], 'iso-8859-1'])
    })

  it('is as long as it may be, and not longer', () => {
    const long = (bytes: number) => `${HEADER}|${'x'.repeat(bytes - HEADER.length - 1)}`
    expect(idOf(`${long(HL7_LIMITS.headerBytes - 1)}\rPID|1`)).to.equal('MSG1')
    for (const text of [long(HL7_LIMITS.headerBytes), `${long(HL7_LIMITS.headerBytes)}\rPID|1`, long(200_000)])
      expect(() => idOf(text)).to.throw('MSH has more than 65,536 bytes')
  })

  it('is refused when there is none, or something before it', () => {
    for (const text of ['', 'PID|1', 'x', 'MS', `PID|1\r${HEADER}`, `x${HEADER}`])
      expect(() => idOf(text), text).to.throw()
  })
})

describe('A segment', () => {
  const message = parseMessage(latin1(`${HEADER}\rPID|1||A^B&C~D|\\F\\|||`))
  const [header] = segmentsOf(message, 'MSH')
  const [pid] = segmentsOf(message, 'PID')

  it('has its fields, and the text of each, counted from 1', () => {
    expect(pid!.texts).to.deep.equal(['1', '', 'A^B&C~D', '\\F\\', '', '', ''])
    expect(pid!.fields).to.deep.equal([[[['1']]], [], [[['A'], ['B', 'C']], [['D']]], [[['|']]], [], [], []])
    expect([pid!.textOf(3), pid!.textOf(8), pid!.textOf(0)]).to.deep.equal(['A^B&C~D', '', ''])
    expect([header!.textOf(1), header!.textOf(2), header!.textOf(3)]).to.deep.equal(['|', '^~\\&', 'EPIC'])
    expect(header!.texts).to.have.length(18)
    expect(pid!.field(3)).to.equal(pid!.field(3))
  })

  it('ends with its last value, without what fills a file or a frame after it, and with its blanks', () => {
    for (const after of ['\x1a', '\0\0\0', '\x1c\r', '\r\n\x1a', '\x7f', ''])
      expect(valueAt(parseMessage(latin1(`${HEADER}\rPID|1||WC1${after}`)), 'PID-3'), JSON.stringify(after)).to.equal(
        'WC1',
      )
    expect(valueAt(parseMessage(latin1(`${HEADER}\rPID|1||WC1  \r\x1c`)), 'PID-3')).to.equal('WC1  ')
    expect(valueAt(parseMessage(latin1(`${HEADER}\rPID|1||WC1\x1c\x41`)), 'PID-3')).to.equal('WC1\x1cA')
  })

  it('is copied with other fields, up to the longest of them', () => {
    const copy = withFields(pid!, { 2: fieldWith('X'), 9: fieldWith('Y') })
    expect([fieldOf(copy, 2), fieldOf(copy, 3), fieldOf(copy, 9), fieldOf(copy, 8), fieldOf(copy, 10)]).to.deep.equal([
      ...[[[['X']]], pid!.field(3), [[['Y']]], [], []],
    ])
    expect(copy.fields).to.have.length(9)
    expect(fieldWith('')).to.deep.equal([])
  })

  it('is written with the delimiters and in the set of the message that it is put into', () => {
    const sent = (encoding: string, set: string) =>
      parseMessage(
        latin1(
          `MSH|${encoding}|A|B|C|D|20260115||ADT^A08|M1|P|2.5.1||||||${set}\rPID|1||x`.replaceAll('^', encoding[0]!),
        ),
      )
    const field = '\\T\\$\\XC5\\'
    const from = parseMessage(latin1(`${HEADER.replaceAll('^', '$')}\rPID|1||${field}`))
    const written = (into: typeof from) => textOf({ ...into, segments: segmentsOf(from, 'PID') }).trim()
    expect(written(from)).to.equal(`PID|1||${field}`)
    expect(written(sent('$~\\&', '8859/1')), 'as it came').to.equal(`PID|1||${field}`)
    expect(written(sent('$~\\&', 'UNICODE UTF-8')), 'another set').to.equal('PID|1||\\T\\$Å')
    expect(written(sent('^~\\%', '8859/1')), 'other delimiters').to.equal('PID|1||&^Å')
    expect(written({ ...from, delimiters: { ...from.delimiters, field: '!' } })).to.equal('PID!1!!\\T\\$Å')
  })

  it('whose value cannot be read is named once by the error', () => {
    const bad = parseMessage(latin1(`${HEADER.replace('8859/1', 'ASCII')}\rPID|1||A^\\XC5\\|B`))
    expect(valueAt(bad, 'PID-4')).to.equal('B')
    expect(() => valueAt(bad, 'PID-3')).to.throw(/^PID-3: The message is not in ascii/)
    const many = parseMessage(latin1(`${HEADER}\rPID|1||${'^'.repeat(HL7_LIMITS.components)}`))
    expect(() => valueAt(many, 'PID-3')).to.throw(/^PID-3 has more than 999 components/)
  })
})

describe('A value', () => {
  it('is written with every delimiter and control character escaped, or with those alone that cannot have come', () => {
    const value = 'a|b^c&d~e\\f\rg\x7fh#'
    const truncating = { ...usualDelimiters, truncation: '#' }
    expect(escaper()(value)).to.equal('a\\F\\b\\S\\c\\T\\d\\R\\e\\E\\f\\X0D\\g\\X7F\\h#')
    expect(escaper(truncating)('h#')).to.equal('h\\P\\')
    expect(escapedWriter(truncating)(value)).to.equal('a\\F\\b\\S\\c\\T\\d\\R\\e\\f\\X0D\\g\\X7F\\h#')
    expect(rawWriter(truncating)(value)).to.equal('a|b^c&d~e\\f\\X0D\\g\\X7F\\h#')
  })

  it('is counted for a character up to one more than the most', () => {
    expect(countIn('|a|b|', '|', 9)).to.equal(3)
    expect(countIn('|a|b|', '|', 2)).to.equal(3)
    expect(countIn('|a|b|', '|', 1)).to.equal(2)
    expect(countIn('ab', '|', 1)).to.equal(0)
  })
})
