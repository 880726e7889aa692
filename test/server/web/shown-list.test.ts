import { expect } from 'chai'
import type { Waiting } from '../../../server/operations/signer/messages.ts'
import { FIRST_VIEW, following, shownList } from '../../../server/web/inbox/list/shown-list.ts'

const waiting = (taskId: number, name: string, sender: string): Waiting => ({
  taskId,
  patient: { name, birthDate: '1948-03-12', sex: 'Female', mrn: null },
  documentType: 'Order',
  externalDocId: 'EHR|DOC-7',
  clinicalDate: '2026-01-15',
  sender,
  arrivedAt: `2026-01-15T12:00:0${taskId}Z`,
  isOverdue: false,
  onBehalfOf: null,
})

const documents = [waiting(1, 'Alma Young', 'Willow'), waiting(2, 'Zoe Abel', 'Elm'), waiting(3, 'Bea Moss', 'Willow')]
const ids = (view: Partial<typeof FIRST_VIEW>) =>
  shownList(documents, { ...FIRST_VIEW, ...view }).map(({ taskId }) => taskId)

describe('the list as the signer looks at it', () => {
  it('is sorted by age, by family name or by sender', () => {
    expect(ids({})).to.deep.equal([1, 2, 3])
    expect(ids({ order: 'newest' })).to.deep.equal([3, 2, 1])
    expect(ids({ order: 'byPatient' })).to.deep.equal([2, 3, 1])
    expect(ids({ order: 'bySender' })).to.deep.equal([2, 1, 3])
  })

  it('has what was put off at its end, the last one last', () => {
    expect(ids({ skipped: [2, 1] })).to.deep.equal([3, 2, 1])
    expect(ids({ skipped: [1, 9], search: 'willow' })).to.deep.equal([3, 1])
  })

  it('goes on below a document, then from the top', () => {
    const below = (taskId: number) => following(shownList(documents, FIRST_VIEW), taskId)
    expect(below(1)).to.deep.equal([2, 3])
    expect(below(2)).to.deep.equal([3, 1])
    expect(below(3)).to.deep.equal([1, 2])
    expect(below(9), 'one that is not listed').to.deep.equal([1, 2, 3])
  })
})
