/** Batches taken apart: what is in them, what is wrong with them, and the batch that answers. */
import { expect } from 'chai'
import { acknowledgeBatch, type Batch, controlIdOf, takeApart } from '../../../lib/hl7/batch.ts'

const FHS = 'FHS|^~\\&|HUB|NORTH|CS|CS|20260115||orders||F-7'
const BHS = 'BHS|^~\\&|HUB|NORTH|CS|CS|20260115||||B-8'
const MSH = (id: string, rest = '') => `MSH|^~\\&|HUB|NORTH|CS|CS|20260115||ADT^A08|${id}|P|2.5.1${rest}`
const PID = 'PID|1||WC100001||Whitfield^Alma'

const apart = (lines: readonly string[], end = '\r') => takeApart(Buffer.from(lines.join(end)))!
const within = ({ groups }: Batch) => groups.map(({ messages }) => messages.map((one) => Buffer.from(one).toString()))

describe('A batch', () => {
  for (const [name, end] of [
    ['CR', '\r'],
    ['LF', '\n'],
    ['CRLF', '\r\n'],
  ] as const)
    it(`is taken apart where its lines end with ${name}`, () => {
      const batch = apart([FHS, BHS, MSH('1'), PID, MSH('2'), PID, 'BTS|2', 'FTS|1', ''], end)
      expect(batch.findings).to.deep.equal([])
      expect(within(batch)).to.deep.equal([[`${MSH('1')}${end}${PID}${end}`, `${MSH('2')}${end}${PID}${end}`]])
      expect([batch.fileHeader, batch.groups[0]!.header, controlIdOf(batch)]).to.deep.equal([FHS, BHS, 'F-7'])
    })

  const GOOD: Record<string, [lines: string[], groups: number[]]> = {
    'of one message': [[FHS, BHS, MSH('1'), PID, 'BTS|1', 'FTS|1'], [1]],
    'without a file': [[BHS, MSH('1'), MSH('2'), 'BTS|2'], [2]],
    'in a file without BHS': [[FHS, MSH('1'), MSH('2'), 'FTS|1'], [2]],
    'that is empty': [[FHS, BHS, 'BTS|0', 'FTS|1'], [0]],
    'beside another one in a file': [
      [FHS, BHS, MSH('1'), 'BTS|1', BHS, MSH('2'), MSH('3'), 'BTS|2', 'FTS|2'],
      [1, 2],
    ],
    'beside another one without a file': [
      [BHS, MSH('1'), 'BTS', BHS, MSH('2'), 'BTS'],
      [1, 1],
    ],
    'without counts': [[FHS, BHS, MSH('1'), 'BTS', 'FTS|'], [1]],
    'with padded counts': [[FHS, BHS, MSH('1'), 'BTS| 1 |one', 'FTS|01'], [1]],
    'after a byte order mark and blank lines': [['\u{feff}', '', ` ${BHS}`, MSH('1'), 'BTS|1'], [1]],
    'before blank lines and the end of a file of DOS': [[BHS, MSH('1'), 'BTS|1', '', ' ', '\x1a\0\0'], [1]],
    'whose last line has an end of a file of DOS': [[BHS, MSH('1'), 'BTS|1\x1a'], [1]],
    'whose messages have other delimiters': [[BHS, MSH('1').replaceAll('|', '$'), 'PID$1', MSH('2'), 'BTS|2'], [2]],
    'that has other delimiters itself': [[BHS.replaceAll('|', '#').replace('^~\\&', '@~%&'), MSH('1'), 'BTS#1'], [1]],
  }
  for (const [name, [lines, counts]] of Object.entries(GOOD))
    it(`${name} is read`, () => {
      const batch = apart(lines)
      expect(batch.findings).to.deep.equal([])
      expect(batch.groups.map(({ messages }) => messages.length)).to.deep.equal(counts)
    })

  const BAD: Record<string, [lines: string[], finding: string]> = {
    'a wrong number of messages': [
      [BHS, MSH('1'), MSH('2'), 'BTS|3'],
      'BTS-1 says that the batch has 3 messages; it has 2.',
    ],
    'a message too many': [[BHS, MSH('1'), MSH('2'), 'BTS|1'], 'BTS-1 says that the batch has 1 messages; it has 2.'],
    'messages announced, and none there': [[BHS, 'BTS|1'], 'BTS-1 says that the batch has 1 messages; it has 0.'],
    'a wrong number of batches': [
      [FHS, BHS, MSH('1'), 'BTS|1', 'FTS|2'],
      'FTS-1 says that the file has 2 batches; it has 1.',
    ],
    'a number that is none': [[BHS, MSH('1'), 'BTS|one'], 'BTS-1 is not a number.'],
    'no end of the batch': [[FHS, BHS, MSH('1'), 'FTS|1'], 'BTS is missing: the batch may have been cut short.'],
    'no end at all': [[BHS, MSH('1')], 'BTS is missing: the batch may have been cut short.'],
    'no end of the file': [[FHS, BHS, MSH('1'), 'BTS|1'], 'FTS is missing: the file may have been cut short.'],
    'a batch within a batch': [
      [BHS, MSH('1'), BHS, MSH('2'), 'BTS|1', 'BTS|1'],
      'A batch (BHS) begins before the end of the one before it (BTS).',
    ],
    'a file within a file': [
      [FHS, BHS, MSH('1'), 'BTS|1', FHS, 'FTS|1', 'FTS|1'],
      'FHS is not at the beginning. Send each file by itself.',
    ],
    'a segment between messages': [
      [BHS, 'NTE|1', MSH('1'), 'BTS|1'],
      'A segment is outside of the messages of the batch.',
    ],
    'a message after the file': [
      [FHS, BHS, MSH('1'), 'BTS|1', 'FTS|1', MSH('2')],
      'A message follows the end of the file (FTS).',
    ],
    'a file that begins twice': [
      [FHS, FHS, BHS, MSH('1'), 'BTS|1', 'FTS|1'],
      'FHS is not at the beginning. Send each file by itself.',
    ],
    'a file that begins after a batch': [
      [BHS, MSH('1'), 'BTS|1', FHS, 'FTS|1'],
      'FHS is not at the beginning. Send each file by itself.',
    ],
    'a file that ends twice': [[FHS, BHS, MSH('1'), 'BTS|1', 'FTS|1', 'FTS|1'], 'FTS is there twice.'],
    'a number within a word': [[BHS, MSH('1'), 'BTS|x1'], 'BTS-1 is not a number.'],
    'a number of ten digits': [[BHS, MSH('1'), 'BTS|1000000000'], 'BTS-1 is not a number.'],
    'an end with another delimiter': [[BHS, MSH('1'), 'BTS#2'], 'BTS-1 says that the batch has 2 messages; it has 1.'],
    'an end too many': [[BHS, MSH('1'), 'BTS|1', 'BTS|1'], 'BTS ends no batch.'],
    'the end of a file that has not begun': [[BHS, MSH('1'), 'BTS|1', 'FTS|1'], 'FTS ends no file: there is no FHS.'],
  }
  for (const [name, [lines, finding]] of Object.entries(BAD))
    it(`with ${name} says so, and has its messages all the same`, () => {
      const batch = apart(lines)
      expect(batch.findings).to.include(finding)
      expect(within(batch).flat()).to.have.length(lines.filter((line) => line.startsWith('MSH')).length)
    })

  it('is not divided within a value that holds a line feed, where lines end with CR', () => {
    const batch = apart([BHS, MSH('1'), `NTE|1||first\n${MSH('2')}`, 'BTS|1'])
    expect(batch.findings).to.deep.equal([])
    expect(batch.groups[0]!.messages).to.have.length(1)
  })

  const LIMITS = { messagesPerBatch: 10, segmentsPerBatch: 1000 }
  const limited = (lines: readonly string[]) => takeApart(Buffer.from(lines.join('\r')), LIMITS)!

  it('has no more messages than are read', () => {
    const lines = Array.from({ length: 11 }, () => 'MSH|')
    const batch = limited([BHS, ...lines, 'BTS|99'])
    expect(batch.findings).to.deep.equal(['The batch has more than 10 messages, which is the most that is read.'])
    expect(batch.groups[0]!.messages).to.have.length(10)
    expect(limited([BHS, ...lines.slice(1), 'BTS|10']).findings).to.deep.equal([])
  })

  it('has no more lines than are read, of any kind', () => {
    for (const line of ['', 'x', 'PID|1']) {
      const { findings } = limited([FHS, ...Array.from({ length: 1001 }, () => line)])
      expect(findings.at(-1), line).to.equal('The batch has more than 1,000 segments, which is the most that is read.')
    }
    expect(limited([BHS, MSH('1'), ...Array.from({ length: 997 }, () => PID), 'BTS|1']).findings).to.deep.equal([])
    for (const name of ['BHS', 'BTS', 'FHS', 'FTS']) {
      const { findings, groups } = limited([FHS, ...Array.from({ length: 12 }, () => `${name}|`)])
      expect(findings.at(-1)).to.equal(`The batch has more than 10 lines ${name}, which is the most that is read.`)
      expect(groups.length).to.be.at.most(10)
    }
  })

  it('has a list of findings that a person can read, however much is wrong', () => {
    const lines = Array.from({ length: 5000 }, (_, index) => [BHS, `BTS|${index + 1}`]).flat()
    expect(apart(lines).findings).to.have.length(100)
  })

  it('is taken apart where its lines end in different ways', () => {
    const two = [`${MSH('1')}`, PID, MSH('2'), PID]
    for (const ends of ['\n\r\n\n\r\n', '\n\n\r\r\n\n']) {
      const lines = [BHS, ...two, 'BTS|2']
      const text = lines.map((line, at) => line + ends[at]!).join('')
      const batch = takeApart(Buffer.from(text))!
      expect(batch.findings, JSON.stringify(ends)).to.deep.equal([])
      expect(
        within(batch)
          .flat()
          .map((one) => one.split(/[\r\n]+/)[0]),
      ).to.deep.equal([MSH('1'), MSH('2')])
    }
    const ofDos = takeApart(Buffer.from(`${BHS}\n${MSH('1')}\r\n${PID}\r\nBTS|1\n`))!
    expect([ofDos.findings, within(ofDos)]).to.deep.equal([[], [[`${MSH('1')}\r\n${PID}\r\n`]]])
  })

  it('may begin after padding and one byte order mark', () => {
    for (const before of ['\x7f\0\x0b', '\r\n\ufeff', '\ufeff\x7f '])
      expect(takeApart(Buffer.from(`${before}${BHS}\rBTS|0\r`))?.findings, JSON.stringify(before)).to.deep.equal([])
    for (const before of ['x', '\xef', '\xef\xbb', '\xef\x41\xbf', '\ufeff\ufeff'])
      expect(
        takeApart(Buffer.from(`${before}${BHS}\rBTS|0\r`, before.startsWith('\xef') ? 'latin1' : 'utf8')),
      ).to.equal(null)
    const inside = Buffer.from(`xx${BHS}\rBTS|0\rxx`)
    const part = takeApart(inside.subarray(2, -2))
    expect([part?.findings, part?.groups[0]?.header]).to.deep.equal([[], BHS])
  })

  it('is nothing else', () => {
    for (const text of ['', MSH('1'), 'BTS|1', 'FHSX', 'FHS', `xFHS|^~\\&`, `${MSH('1')}\r${BHS}\rBTS|1`])
      expect(takeApart(Buffer.from(text))).to.equal(null)
  })

  it('is answered by a batch that goes back to its sender and names its control ids', () => {
    const batch = apart([FHS, BHS, MSH('1'), 'BTS|1', BHS.replace('B-8', 'B-9'), MSH('2'), 'BTS|1', 'FTS|2'])
    let ids = 0
    const answer = acknowledgeBatch(batch, {
      answers: [[Buffer.from('MSH|1\rMSA|AA|1\r')], [Buffer.from('MSH|2\rMSA|AA|2\r')]],
      at: new Date(0),
      newId: () => `A${++ids}`,
    })
    expect(Buffer.from(answer).toString().split('\r')).to.deep.equal([
      'FHS|^~\\&|CS|CS|HUB|NORTH|19700101000000+0000||||A1|F-7',
      'BHS|^~\\&|CS|CS|HUB|NORTH|19700101000000+0000||||A2|B-8',
      'MSH|1',
      'MSA|AA|1',
      'BTS|1',
      'BHS|^~\\&|CS|CS|HUB|NORTH|19700101000000+0000||||A3|B-9',
      'MSH|2',
      'MSA|AA|2',
      'BTS|1',
      'FTS|2',
      '',
    ])
    expect(takeApart(answer)!.findings).to.deep.equal([])
  })

  const answerTo = (lines: readonly string[], answers: string[][]) => {
    const answer = acknowledgeBatch(apart(lines), {
      answers: answers.map((group) => group.map((one) => Buffer.from(`${one}\r`))),
      at: new Date(0),
      newId: () => 'A',
    })
    return Buffer.from(answer).toString('latin1').split('\r')
  }
  const ANSWER = '^~\\&|CS|CS|HUB|NORTH|19700101000000+0000||||A|'

  it('is answered with a file or a batch only where it has one', () => {
    expect(answerTo([BHS, MSH('1'), 'BTS|1'], [['MSA|AA|1']])).to.deep.equal([
      `BHS|${ANSWER}B-8`,
      'MSA|AA|1',
      'BTS|1',
      '',
    ])
    expect(answerTo([FHS, MSH('1'), 'FTS|1'], [['MSA|AA|1']])).to.deep.equal([
      `FHS|${ANSWER}F-7`,
      'MSA|AA|1',
      'FTS|1',
      '',
    ])
    expect(answerTo([BHS, MSH('1'), 'BTS|1'], [])).to.deep.equal([`BHS|${ANSWER}B-8`, 'BTS|0', ''])
  })

  it('is answered with its own delimiters, letters and control ids, as far as its header has them', () => {
    const other = 'BHS#@~%&# HUB #\xc5#CS#CS'
    const bytes = Buffer.from(`${other}\r${MSH('1')}\rBTS#1\r`, 'latin1')
    const answer = acknowledgeBatch(takeApart(bytes)!, { answers: [[]], at: new Date(0), newId: () => 'A' })
    expect(Buffer.from(answer).toString('latin1')).to.equal(
      'BHS#@~%&#CS#CS#HUB#\xc5#19700101000000+0000####A#\rBTS#0\r',
    )
    const long = (bytes: number) => `${BHS}|${'x'.repeat(bytes - BHS.length - 1)}`
    expect(answerTo([long(65_536), 'BTS|0'], [])).to.deep.equal([`BHS|${ANSWER}B-8`, 'BTS|0', ''])
    expect(answerTo([long(65_537), 'BTS|0'], [])).to.deep.equal([
      'BHS|^~\\&|||||19700101000000+0000||||A|',
      'BTS|0',
      '',
    ])
  })

  it('is known by the control id of its file, else of its first batch', () => {
    const id = (...lines: string[]) => controlIdOf(apart(lines))
    expect(id(FHS, BHS, 'BTS', 'FTS')).to.equal('F-7')
    expect(id(FHS.replace('F-7', ' '), BHS, 'BTS', 'FTS')).to.equal('B-8')
    expect(id(BHS.replace('B-8', ' B-9 '), 'BTS')).to.equal('B-9')
    expect(id('FHS|^~\\&', MSH('1'), 'FTS')).to.equal('')
    expect(id(FHS.replace('|F-7', ''), 'FTS')).to.equal('')
  })
})
