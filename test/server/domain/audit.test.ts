/** The chain of the audit log: which changes of it show, and which acts are in the story of a task. */
import { createHash } from 'node:crypto'
import { expect } from 'chai'
import {
  type AuditRow,
  type ChainedRow,
  chained,
  chainFault,
  GENESIS,
  isTaskAction,
  OPERATOR,
  SERVICE,
} from '../../../server/domain/audit.ts'

const digest = (text: string) => createHash('sha256').update(text).digest('hex')
const row: AuditRow = {
  ...{
    sequence: 1,
    at: '2026-01-15T09:30:00.000Z',
    actor: 'key',
    actorId: 'k1',
    action: 'task.create',
    outcome: 'done',
  },
  ...{
    organizationId: 3,
    taskId: 1001,
    subject: 's',
    requestId: 'r',
    ip: '203.0.113.7',
    written: '[["tasks",1,"mac"]]',
  },
}
const linked = (previous: { hash: string; sequence: number }, given: AuditRow): ChainedRow => {
  const next = { ...given, sequence: previous.sequence + 1 }
  return { ...next, hash: digest(chained(previous.hash, next)) }
}

describe('The chain of the audit log', () => {
  const start = { sequence: 0, hash: GENESIS }
  const first = linked(start, row)
  const second = linked(first, { ...row, action: 'task.read' })

  it('begins with zeros, and covers each field in an order that never changes', () => {
    expect(GENESIS).to.match(/^0{64}$/)
    const { written, ...others } = row
    const fields = '1,"2026-01-15T09:30:00.000Z","key","k1","task.create","done",3,1001,"s","r","203.0.113.7"'
    expect(chained('h', row)).to.equal(`h\n[${fields},${JSON.stringify(written)}]`)
    for (const none of [others, { ...others, written: null }, { ...others, written: '' }])
      expect(chained('h', none)).to.equal(`h\n[${fields}]`)
  })

  it('has no fault as it was written', () => {
    expect(chainFault(start, first, digest)).to.equal(null)
    expect(chainFault(first, second, digest)).to.equal(null)
  })

  const others: Partial<AuditRow> = {
    ...{ at: '2026-01-15T09:30:00.001Z', actor: 'operator', actorId: 'k2', action: 'task.sign', outcome: 'refused' },
    ...{ organizationId: 4, taskId: 1002, subject: null, requestId: null, ip: null, written: null },
  }
  for (const [name, value] of Object.entries(others))
    it(`shows a changed ${name}`, () =>
      expect(chainFault(first, { ...second, [name]: value }, digest)).to.equal(
        'row 2 was changed, or the row before it was',
      ))

  it('shows a changed hash, and a row that was taken out or put in', () => {
    expect(chainFault({ ...first, hash: digest('x') }, second, digest)).to.equal(
      'row 2 was changed, or the row before it was',
    )
    expect(chainFault(start, second, digest)).to.equal('row 1 is missing; after 0 comes 2')
    expect(chainFault(first, first, digest)).to.equal('row 2 is missing; after 1 comes 1')
  })
})

describe('The audit log', () => {
  it('names who acts when no person does', () => {
    expect(SERVICE).to.deep.equal({ kind: 'service', id: null })
    expect(OPERATOR).to.deep.equal({ kind: 'operator', id: null })
  })

  it('has acts that are in the story of a task, and others', () => {
    for (const action of ['task.create', 'task.remove-contents', 'document.view', 'seal.fail'] as const)
      expect(isTaskAction(action), action).to.equal(true)
    for (const action of ['task.search', 'task.export', 'document-type.create', 'key.issue', 'audit.export'] as const)
      expect(isTaskAction(action), action).to.equal(false)
  })
})
