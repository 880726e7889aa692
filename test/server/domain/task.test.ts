/** Every status with every trigger. What the specification's table does not hold is refused. */
import { expect } from 'chai'
import { TaskStatus } from '../../../lib/contract/task/task.ts'
import { Refusal } from '../../../server/domain/refusal.ts'
import { proceed, type Step, type TaskState, type Trigger, transition } from '../../../server/domain/task/task.ts'

const triggers = ['present', 'fail', 'sign', 'reject', 'retract', 'cancel'] as const satisfies readonly Trigger[]

/** spec: States and transitions. choice: Cancelled. A dash is refused. */
const table: Record<
  TaskStatus,
  readonly [present: string, fail: string, sign: string, reject: string, retract: string, cancel: string]
> = {
  Received: ['Pending', 'Failed', '-', '-', '-', 'Cancelled'],
  Processing: ['Pending', 'Failed', '-', '-', '-', 'Cancelled'],
  Pending: ['-', '-', 'Completed', 'Rejected', 'Retracted', 'Cancelled'],
  Completed: ['-', '-', '-', '-', '-', '-'],
  Rejected: ['-', '-', '-', '-', '-', '-'],
  Retracted: ['-', '-', '-', '-', '-', '-'],
  Failed: ['-', '-', '-', '-', '-', '-'],
  Cancelled: ['-', '-', '-', '-', '-', '-'],
}

const at = new Date('2026-01-15T09:30:00.000Z')
const eventId = '6f1c2d1e-3f52-4c2a-9c33-0d6a4c0c7f11'
const aTaskIn = (status: TaskStatus): TaskState => ({
  id: 7,
  status,
  statusReason: 'before',
  documentId: 700_001,
  isArchived: false,
  isFiled: true,
  externalSavedDocumentId: 'S-1',
})

describe('The task state machine', () => {
  for (const status of TaskStatus.options)
    for (const [index, trigger] of triggers.entries()) {
      const to = table[status][index]!
      it(`${status} + ${trigger} → ${to === '-' ? 'refused' : to}`, () => {
        const task = aTaskIn(status)
        const change = () => transition(task, trigger, { at, eventId, reason: 'why' })
        if (to === '-') return void expect(change).to.throw(Refusal, new RegExp(`^Task 7 is ${status}; only a `))
        expect(change().task).to.deep.equal({ ...task, status: to, statusReason: 'why' })
        expect(task, 'what came in is left alone').to.deep.equal(aTaskIn(status))
      })
    }

  it('a refusal is a conflict that says what would be right', () => {
    expect(() => transition(aTaskIn('Completed'), 'retract', { at, eventId }))
      .to.throw(Refusal, 'Task 7 is Completed; only a Pending task can be retracted.')
      .with.property('kind', 'conflict')
    expect(() => transition(aTaskIn('Failed'), 'present', { at, eventId })).to.throw(
      'Task 7 is Failed; only a Received or Processing task can be presented to its signer.',
    )
  })

  it('present gives the document its id, and the event tells of it', () => {
    const waiting: TaskState = { ...aTaskIn('Received'), documentId: null }
    const { task, event } = transition(waiting, 'present', { at, eventId, documentId: 700_002 })
    expect(task.documentId).to.equal(700_002)
    expect(event).to.deep.equal({
      eventId,
      eventType: 'document.status_changed',
      taskId: 7,
      documentId: 700_002,
      status: 'Pending',
      statusReason: null,
      occurredAtUtc: '2026-01-15T09:30:00.000Z',
    })
  })

  it('a change without a reason takes the old one away', () => {
    expect(transition(aTaskIn('Pending'), 'sign', { at, eventId }).task.statusReason).to.equal(null)
  })
})

/** Without an event. choice: Processing is silent. A dash is refused. */
const ingestion: Record<TaskStatus, readonly [begin: string, hold: string, resume: string, reopen: string]> = {
  Received: ['Processing', '-', '-', '-'],
  Processing: ['Processing', 'Processing', 'Processing', '-'],
  Pending: ['-', '-', '-', 'Processing'],
  Completed: ['-', '-', '-', '-'],
  Rejected: ['-', '-', '-', '-'],
  Retracted: ['-', '-', '-', '-'],
  Failed: ['-', '-', '-', '-'],
  Cancelled: ['-', '-', '-', '-'],
}

describe('The steps of ingestion', () => {
  const steps = ['begin', 'hold', 'resume', 'reopen'] as const satisfies readonly Step[]
  for (const status of TaskStatus.options)
    for (const [index, step] of steps.entries()) {
      const to = ingestion[status][index]!
      it(`${status} + ${step} → ${to === '-' ? 'refused' : `${to}, without an event`}`, () => {
        const task = aTaskIn(status)
        const change = () => proceed(task, step, at)
        if (to === '-') return void expect(change).to.throw(Refusal, new RegExp(`^Task 7 is ${status}; only a `))
        expect(change()).to.deep.include({ task: { ...task, status: to }, event: null, at })
      })
    }

  it('only what a person decided has an audit entry', () => {
    const from = { begin: 'Processing', hold: 'Processing', resume: 'Processing', reopen: 'Pending' } as const
    const actions = steps.map((step) => proceed(aTaskIn(from[step]), step, at).action)
    expect(actions).to.deep.equal([null, null, 'task.review', 'task.reopen'])
  })
})
