/** What mllp in answers to messages that it cannot read: their sender must know which one is meant. */
import { expect } from 'chai'
import { acknowledge } from '../../lib/hl7/acknowledgement.ts'
import { valueAt } from '../../lib/hl7/value-at.ts'
import { judge } from '../../nodes/shared/mllp/judged.ts'

const header = (set: string, separator = '|') =>
  `MSH|^~\\&|HUB|NORTH|SIGN|SOUTH|20260116080000||MDM^T02^MDM_T02|CS-1|P|2.5.1||||||${set}`.replaceAll('|', separator)

describe('the answer to a message that cannot be read', () => {
  const REJECTED = {
    'a character set that is not known': header('ISO IR 999'),
    'several character sets, the first of which is not known': header('ISO IR 999~UNICODE UTF-8'),
    'a character set that is UTF-16': header('UNICODE UTF-16'),
    'other separators': header('ISO IR 999', '$'),
    'bytes that its character set does not have': header('ASCII').replace('NORTH', 'N\u00f6RTH'),
    'fields after MSH-18': `${header('ISO IR 999')}|en|x`,
    'a character set with components': header('ISO IR 999^M'),
    'a zero before each character, as UTF-16': header('').replaceAll(/(?=.)/g, '\0'),
    'a zero after each character, as UTF-16': header('').replaceAll(/(?<=.)/g, '\0'),
    'letters that UTF-8 does not have': header('UNICODE UTF-8').replace('NORTH', 'N\u00f6RTH'),
  }
  const HEADERS = {
    'other characters before it': `order ${header('')}`,
    'the same delimiter twice': header('').replace('^~\\&', '^^^^'),
    'an MSH-2 of letters': header('').replace('^~\\&', 'abcd'),
    'an empty MSH-2': header('').replace('^~\\&', ''),
    'a field that is longer than is read': `${header('')}|${'x'.repeat(70_000)}`,
    'more components than are read': `${header('')}|${'^'.repeat(2000)}`,
  }
  it('is AR, and nothing is stored, for what has no MSH alone', () => {
    for (const text of ['', 'no HL7', 'MSH', 'MSHA|', '<ClinicalDocument/>', 'PID|1||A'])
      expect(judge(Buffer.from(text), { processingIds: [] }).refusal, text).to.include({
        verdict: 'R',
        isStored: false,
      })
    for (const text of ['MSH|', 'MSH||||', 'x\nMSH|^~\\&|'])
      expect(judge(Buffer.from(text), { processingIds: [] }).refusal, text).to.include({
        verdict: 'A',
        isStored: true,
      })
  })

  for (const [what, line] of Object.entries({ ...REJECTED, ...HEADERS }))
    it(`names it and goes back to its sender: ${what}`, () => {
      const { message, refusal } = judge(Buffer.from(`${line}\rTXA|1|x\r`, 'latin1'), { processingIds: ['P'] })
      const verdict = Object.hasOwn(REJECTED, what) ? 'R' : 'A'
      expect(refusal).to.include({ verdict, isStored: true, errorCode: '100' })
      const answer = acknowledge(message, { code: `A${verdict}`, id: 'A1', at: new Date(0) })
      expect(['MSA-1', 'MSA-2', 'MSH-3', 'MSH-5'].map((place) => valueAt(answer, place))).to.deep.equal([
        `A${verdict}`,
        'CS-1',
        'SIGN',
        'HUB',
      ])
    })
})
