/** Padding around a message, which belongs to no value: `checkSegments` passes over it in bytes, `parseMessage` in characters. */
import { expect } from 'chai'
import { checkSegments, parseMessage } from '../../../lib/hl7/parse-message.ts'
import { type Random, randomFrom } from '../../support/random.ts'

const PADDING = ['\r', '\n', ' ', '\0', '\t', '\x1a', '\x0b', '\x1c', '\x7f', '    ', '\r\r\r\r']
const LINES = [
  'MSH|^~\\&|A|B|C|D|20260115||ADT^A08|1|P|2.5.1',
  'PID|1',
  'NTE',
  'NT',
  'x',
  'NTE|1|a \n b',
  'MSH',
  'ZZZ ',
  '',
]

const some = (random: Random, parts: readonly string[], most: number) =>
  Array.from({ length: random.below(most + 1) }, () => random.pick(parts)).join('')

const aText = (random: Random) => {
  const lines = Array.from({ length: random.below(4) }, () => random.pick(LINES) + some(random, PADDING, 2))
  const header = random.isSo(0.9) ? LINES[0] : ''
  return `${some(random, [...PADDING, '\ufeff'], 12)}${[header, ...lines].join(random.pick(['\r', '\n', '\r\n']))}${some(random, PADDING, 12)}`
}

const failureOf = (work: () => unknown): string => {
  try {
    work()
    return 'none'
  } catch (failure) {
    return (failure as Error).message
  }
}

describe('the padding around a message', () => {
  it('is the same for who checks bytes as for who reads characters, at any place in memory', () => {
    const random = randomFrom(35)
    const counts: Record<string, number> = {}
    for (let n = 0; n < 5000; n++) {
      const text = aText(random)
      const before = random.below(8)
      const memory = Buffer.concat([Buffer.alloc(before), Buffer.from(text)])
      const bytes = memory.subarray(before)
      const failure = failureOf(() => checkSegments(bytes))
      expect(failure, JSON.stringify(text)).to.equal(failureOf(() => parseMessage(bytes)))
      counts[failure] = (counts[failure] ?? 0) + 1
    }
    // Each kind of answer was there.
    expect(Object.keys(counts)).to.have.length.above(2)
    expect(counts.none).to.be.above(500)
  })
})
