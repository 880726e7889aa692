import { expect } from 'chai'
import {
  type AcknowledgementCode,
  acknowledge,
  isWanted,
  readAnswer,
  type Verdict,
  wantedAcknowledgements,
  wantedCodes,
} from '../../../lib/hl7/acknowledgement.ts'
import { parseMessage } from '../../../lib/hl7/parse-message.ts'
import { textOf } from '../../../lib/hl7/write-message.ts'

const received = (more = '') =>
  parseMessage(Buffer.from(`MSH|^~\\&|EPIC|LAKE|CS|WILLOW|20260115||MDM^T02^MDM_T02|MSG1|P|2.5.1${more}\rPID|1||WC1`))

const at = new Date('2026-01-15T14:03:05.678Z')

const answer = (code: AcknowledgementCode, reason?: string, more = '') =>
  textOf(acknowledge(received(more), { code, id: 'A1', at, ...(reason === undefined ? {} : { reason }) })).split('\r')

describe('An acknowledgement', () => {
  it('goes back to the sender, and names the message', () =>
    expect(answer('AA')).to.deep.equal([
      'MSH|^~\\&|CS|WILLOW|EPIC|LAKE|20260115140305+0000||ACK^T02^ACK|A1|P|2.5.1',
      'MSA|AA|MSG1',
      '',
    ]))

  it('says why a message is not taken, in a segment of its own too', () =>
    expect(answer('AE', 'The journal is full | try later.').slice(1)).to.deep.equal([
      'MSA|AE|MSG1|The journal is full \\F\\ try later.',
      'ERR|||207|E||||The journal is full \\F\\ try later.',
      '',
    ]))

  it('says of a message that is taken why a person has to look at it, as a warning', () =>
    expect(answer('AA', 'MSH-12 is not a version.').slice(1)).to.deep.equal([
      'MSA|AA|MSG1|MSH-12 is not a version.',
      'ERR|||207|W||||MSH-12 is not a version.',
      '',
    ]))

  it('keeps the character set of the message', () =>
    expect(answer('AA', undefined, '||||||UNICODE UTF-8')[0]).to.equal(
      'MSH|^~\\&|CS|WILLOW|EPIC|LAKE|20260115140305+0000||ACK^T02^ACK|A1|P|2.5.1||||||UNICODE UTF-8',
    ))

  const modes: [fields: string, wanted: ReturnType<typeof wantedAcknowledgements>][] = [
    ['', { commit: null, application: 'AL' }],
    ['|||AL|NE', { commit: 'AL', application: 'NE' }],
    ['|||ER|AL', { commit: 'ER', application: 'AL' }],
    ['|||AL', { commit: 'AL', application: 'NE' }],
    ['||||SU', { commit: 'NE', application: 'SU' }],
    ['||| AL |ne', { commit: 'AL', application: 'AL' }],
  ]
  for (const [fields, wanted] of modes)
    it(`is wanted as the header says: "${fields}"`, () =>
      expect(wantedAcknowledgements(received(fields))).to.deep.equal(wanted))

  it('is sent always, never, of errors or of success, as wanted', () => {
    const codes = ['CA', 'CE', 'AA', 'AR'] as const
    const table = (['AL', 'NE', 'ER', 'SU', null] as const).map((wanted) => codes.map((code) => isWanted(wanted, code)))
    expect(table).to.deep.equal([
      [true, true, true, true],
      [false, false, false, false],
      [false, true, false, true],
      [true, false, true, false],
      [false, false, false, false],
    ])
  })

  /** The answers when a message is accepted, when it cannot be stored, and when it is refused. */
  const codes: Record<string, [accepted: string, error: string, refused: string]> = {
    '': ['AA', 'AE', 'AR'],
    '|||AL|AL': ['CA AA', 'CE', 'CR'],
    '|||AL|NE': ['CA', 'CE', 'CR'],
    '|||NE|AL': ['AA', 'AE', 'AR'],
    '|||ER|AL': ['AA', 'CE', 'CR'],
    '|||ER|ER': ['', 'CE', 'CR'],
    '|||SU|ER': ['CA', 'AE', 'AR'],
    '|||SU|SU': ['CA AA', '', ''],
    '|||NE|NE': ['', '', ''],
    '|||NE|SU': ['AA', '', ''],
  }
  for (const [fields, right] of Object.entries(codes))
    it(`is ${right.map((codes) => codes || 'nothing').join(', ')} for "${fields}"`, () =>
      expect(
        (['A', 'E', 'R'] as Verdict[]).map((verdict) => wantedCodes(received(fields), verdict).join(' ')),
      ).to.deep.equal(right))

  it('of a message without a trigger event has none', () => {
    const message = parseMessage(Buffer.from('MSH|^~\\&|A|B|C|D|20260115||ACK|M1|P|2.3'))
    expect(
      textOf(acknowledge(message, { code: 'AR', id: 'A1', at, reason: 'no', errorCode: '101' })).split('\r'),
    ).to.deep.equal(['MSH|^~\\&|C|D|A|B|20260115140305+0000||ACK|A1|P|2.3', 'MSA|AR|M1|no', 'ERR|||101|F||||no', ''])
  })

  it('is read', () => {
    const read = (code: string) => readAnswer(parseMessage(Buffer.from(`MSH|^~\\&|A\rMSA|${code}|MSG1`)))
    expect(read('AA')).to.deep.equal({ code: 'AA', controlId: 'MSG1', isAccepted: true, isCommit: false })
    expect(read('ca')).to.deep.equal({ code: 'CA', controlId: 'MSG1', isAccepted: true, isCommit: true })
    expect(read(' aa ')).to.include({ code: 'AA', isAccepted: true, isCommit: false })
    for (const code of ['AR', 'AE', 'CE', 'CR', 'XA', 'CAA']) expect(read(code)?.isAccepted, code).to.equal(false)
    expect(read('CR')?.isCommit).to.equal(true)
    expect(readAnswer(received())).to.equal(null)
  })
})
