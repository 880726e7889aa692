/** What a sender may record of an outcome, in every status. spec: Endpoints › Update */
import { expect } from 'chai'
import { TaskStatus } from '../../../lib/contract/task/task.ts'
import { Refusal } from '../../../server/domain/refusal.ts'
import { type Outcome, recordOutcome } from '../../../server/domain/task/outcome.ts'
import type { TaskState } from '../../../server/domain/task/task.ts'

const at = new Date('2026-01-15T09:30:00.000Z')
const open: TaskState = {
  id: 7,
  status: 'Completed',
  statusReason: null,
  documentId: 700_001,
  isArchived: false,
  isFiled: false,
  externalSavedDocumentId: null,
}
const closed: TaskState = { ...open, isArchived: true, isFiled: true }

const recorded = (task: TaskState, change: Partial<Outcome> = {}, isNewId = true) =>
  recordOutcome(task, { externalSavedDocumentId: 'S-1', ...change }, isNewId, at)

function problems(...asked: Parameters<typeof recorded>): readonly string[] {
  try {
    recorded(...asked)
    return []
  } catch (refusal) {
    expect(refusal).to.be.instanceOf(Refusal).with.property('kind', 'invalid')
    return (refusal as Refusal).errors
  }
}

describe('The outcome that a sender records', () => {
  for (const status of TaskStatus.options) {
    const isClosable = ['Completed', 'Rejected', 'Retracted'].includes(status)
    it(`${status}: ${isClosable ? 'may be recorded' : 'is refused'}`, () => {
      const refusal = `Task 7 is ${status}; only a Completed, Rejected, Retracted task can be updated.`
      expect(problems({ ...open, status })).to.deep.equal(isClosable ? [] : [refusal])
    })
  }

  it('archived and filed cannot be undone; false where nothing was done is no undoing', () => {
    const undo = { archived: false, saved: false }
    expect(problems(open, undo)).to.deep.equal([])
    expect(problems(closed, undo)).to.deep.equal([
      'archived: archiving cannot be undone',
      'saved: filing cannot be undone',
    ])
  })

  it('names all that is wrong at once', () => {
    expect(problems({ ...closed, status: 'Pending' }, { saved: false }, false)).to.deep.equal([
      'Task 7 is Pending; only a Completed, Rejected, Retracted task can be updated.',
      'saved: filing cannot be undone',
      'externalSavedDocumentId: already used; each saved document needs an id of its own',
    ])
  })

  it('each stays once it is true, and a new id replaces the one before (choice: Recording again)', () => {
    expect(recorded(open).task).to.deep.equal({ ...open, externalSavedDocumentId: 'S-1' })
    expect(recorded(open, { archived: true }).task).to.include({ isArchived: true, isFiled: false })
    expect(recorded(open, { saved: true }).task).to.include({ isArchived: false, isFiled: true })
    const again = recorded({ ...closed, externalSavedDocumentId: 'S-0' })
    expect(again.task).to.deep.equal({ ...closed, externalSavedDocumentId: 'S-1' })
  })

  it('has an audit entry, and sends no event', () => {
    expect(recorded(open)).to.include({ action: 'task.record', event: null, at })
  })
})
