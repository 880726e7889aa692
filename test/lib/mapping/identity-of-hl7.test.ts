/** Ids and their authorities in HL7 v2, the days on which they are in use, and the orders of a message, rule by rule. */
import { expect } from 'chai'
import type { ReadMessage } from '../../../lib/hl7/message.ts'
import { parseMessage } from '../../../lib/hl7/parse-message.ts'
import { groupsOf } from '../../../lib/mapping/hl7/groups.ts'
import {
  authorityAt,
  authorityOfEntity,
  idIn,
  isCutShort,
  isInUse,
  part,
  qualified,
  sendingFacility,
  unusable,
} from '../../../lib/mapping/hl7/identity.ts'

const message = (MSH = 'MSH|^~\\&|EPIC|LAKE|CS|CS|20260116080000||MDM^T02|M1|P|2.5.1', ...more: string[]) =>
  parseMessage(Buffer.from(`${[MSH, ...more].join('\r')}\r`))

describe('An id in HL7 v2', () => {
  it('is a trimmed value; "" deletes it, and says nothing', () => {
    const repetition = [[' A ', ' b '], ['""', '""'], []]
    expect([part(repetition, 1), part(repetition, 1, 2), part(repetition, 2), part(repetition, 2, 2)]).to.deep.equal([
      ...['A', 'b', '', ''],
    ])
    expect([part(repetition, 3), part(repetition, 9), part(undefined, 1)]).to.deep.equal(['', '', ''])
  })

  it('keeps all of its subcomponents, without empty ones at its end', () => {
    expect(idIn([['4400', '11']])).to.equal('4400&11')
    expect(idIn([['4400', '', '11', '', '']])).to.equal('4400&&11')
    expect(idIn([[' 4400 ', '', '']])).to.equal('4400')
    expect([idIn([['""']]), idIn([[]]), idIn(undefined), idIn([[''], ['x']])]).to.deep.equal(['', '', '', ''])
    expect(idIn([['a'], [' b ']], 2)).to.equal('b')
  })

  it('names its authority by the namespace, the universal id, or both with its type', () => {
    const of = (...hd: string[]) => authorityAt([['id'], hd], 2)
    expect(of('LAKE')).to.deep.equal({ key: 'LAKE', names: ['LAKE'] })
    expect(of('', '2.16', 'ISO')).to.deep.equal({ key: '&2.16&ISO', names: ['2.16', '&2.16&ISO'] })
    expect(of('LAKE', '2.16', 'ISO')).to.deep.equal({ key: 'LAKE&2.16&ISO', names: ['LAKE', '2.16', 'LAKE&2.16&ISO'] })
    expect(of('LAKE', '2.16').key).to.equal('LAKE&2.16')
    // A type without a universal id says nothing.
    expect(of('LAKE', '', 'ISO').key).to.equal('LAKE')
    expect(of('', '', '')).to.deep.equal({ key: '', names: [] })
    expect(authorityOfEntity([['id'], ['LAKE'], ['2.16'], ['ISO']]).key).to.equal('LAKE&2.16&ISO')
    expect(sendingFacility(message()).key).to.equal('LAKE')
  })

  it('is another text for every other pair of authority and id', () => {
    const of = (namespace: string, id: string, universal = '') =>
      qualified(authorityAt([[namespace, universal, universal && 'ISO']], 1), id)
    expect(of('LAKE', '1')).to.equal('LAKE|1')
    expect(of('', '1')).to.equal('1')
    expect(of('', 'LAKE|1')).to.equal('LAKE\\F\\1')
    expect(of('A|B', 'C')).to.equal('A\\F\\B|C')
    expect(of('A', 'B|C')).to.equal('A|B\\F\\C')
    expect(of('A\\F\\B', 'C')).to.equal('A\\E\\F\\E\\B|C')
    expect(of('A&2.16&ISO', '1')).to.equal('A\\T\\2.16\\T\\ISO|1')
    expect(of('A', '1', '2.16')).to.equal('A&2.16&ISO|1')
  })

  it('does not count as a placeholder, or cut short, also in its authority', () => {
    const lake = authorityAt([['LAKE']], 1)
    const truncating = message('MSH|^~\\&#|EPIC|LAKE|CS|CS|20260116||MDM^T02|M1|P|2.7')
    expect(unusable('4400', lake, truncating)).to.equal(null)
    expect(unusable('UNKNOWN', lake, message())).to.equal('is a placeholder, not an id')
    expect(unusable('4400#', lake, truncating)).to.equal('was cut short')
    expect(unusable('4400', authorityAt([['LA#']], 1), truncating)).to.equal('was cut short')
    expect(unusable('44#00', lake, truncating)).to.equal(null)
    expect(unusable('4400#', lake, message())).to.equal(null)
    expect(isCutShort('null', { ...message(), delimiters: { ...message().delimiters, truncation: null } })).to.equal(
      false,
    )
  })
})

describe('A value with days in HL7 v2', () => {
  const on = (day: string) => message(`MSH|^~\\&|EPIC|LAKE|CS|CS|${day}||MDM^T02|M1|P|2.5.1`)
  const inUse = (from: string, until: string, day = '20260116080000') => isInUse(on(day), from, until)

  it('is in use from its first day to its last, by the day of the message', () => {
    expect(inUse('', '')).to.equal(true)
    expect(inUse('20260116', '20260116')).to.equal(true)
    expect(inUse('20260115', '20260117')).to.equal(true)
    expect(inUse('20260117', '')).to.equal(false)
    expect(inUse('', '20260115')).to.equal(false)
    expect(inUse('20260101000000', '20260115235959')).to.equal(false)
    expect(inUse('20260117', '20991231')).to.equal(false)
  })

  it('may have a month or a year alone, all of whose days count', () => {
    expect([inUse('2026', '2026'), inUse('202601', '202601')]).to.deep.equal([true, true])
    expect([inUse('', '2025'), inUse('', '202512'), inUse('2027', ''), inUse('202602', '')]).to.deep.equal([
      ...[false, false, false, false],
    ])
  })

  it('is not in use when it has an end and the day of the message, or the end, cannot be read', () => {
    expect([
      inUse('', 'x20991231'),
      inUse('', '99'),
      inUse('', '20991231', ''),
      inUse('', '20991231', 'x'),
    ]).to.deep.equal([...[false, false, false, false]])
    expect(inUse('', '20991231', 'on 20260116')).to.equal(false)
    expect([inUse('x', ''), inUse('20260101', '', ''), inUse('', '', '')]).to.deep.equal([false, true, true])
  })

  it('of a message without a header has no day', () => {
    const headless = { ...message(), segments: [] } as ReadMessage
    expect([isInUse(headless, '', '20991231'), isInUse(headless, '', '')]).to.deep.equal([false, true])
    expect(sendingFacility(headless)).to.deep.equal({ key: '', names: [] })
  })
})

describe('The orders of a message in HL7 v2', () => {
  const groups = (...names: string[]) => {
    const { header, astray, groups: found } = groupsOf(message(undefined, ...names.map((name) => `${name}|1`)))
    const listed = (segments: readonly { name: string }[]) => segments.map(({ name }) => name).join(' ')
    return {
      header: listed(header),
      astray: listed(astray),
      orders: found.map((one) => `${one.name}: ${listed(one.segments)}`),
    }
  }

  it('begin with ORC, or with OBR that no ORC precedes, and hold what follows', () => {
    expect(
      groups('PID', 'PV1', 'ORC', 'TQ1', 'OBR', 'SPM', 'OBX', 'OBR', 'NTE', 'ORC', 'OBR', 'OBX', 'OBR'),
    ).to.deep.equal({
      header: 'MSH PID PV1',
      astray: '',
      orders: ['ORC[1]: ORC TQ1 OBR SPM OBX', 'OBR[2]: OBR NTE', 'ORC[2]: ORC OBR OBX', 'OBR[4]: OBR'],
    })
    expect(groups('OBR', 'OBX', 'OBR').orders).to.deep.equal(['OBR[1]: OBR OBX', 'OBR[2]: OBR'])
    expect(groups('ORC', 'ORC', 'OBR').orders).to.deep.equal(['ORC[1]: ORC', 'ORC[2]: ORC OBR'])
  })

  it('leave the patient and the visit to the message, wherever they are', () => {
    const { header, orders } = groups('ORC', 'OBR', 'PID', 'PD1', 'MRG', 'PV1', 'PV2', 'OBX')
    expect({ header, orders }).to.deep.equal({ header: 'MSH PID PD1 MRG PV1 PV2', orders: ['ORC[1]: ORC OBR OBX'] })
  })

  it('do not hold what is before the first of them', () => {
    expect(groups('PID', 'NTE', 'DG1', 'OBX', 'PRT', 'IN1', 'ORC')).to.deep.equal({
      header: 'MSH PID IN1',
      astray: 'NTE DG1 OBX PRT',
      orders: ['ORC[1]: ORC'],
    })
    expect(groups('PID')).to.deep.equal({ header: 'MSH PID', astray: '', orders: [] })
  })
})
