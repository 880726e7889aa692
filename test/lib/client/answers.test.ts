import { expect } from 'chai'
import { readAnswer } from '../../../lib/client/answers/read-answer.ts'
import type { OperationName } from '../../../lib/contract/operations.ts'
import { defaultProfile, parseProfile } from '../../../lib/profile/parse-profile.ts'

const issues = (name: OperationName, body: unknown, profile = defaultProfile) => {
  const read = readAnswer(name, body, profile)
  return read.ok ? null : read.issues
}
const result = (name: OperationName, body: unknown, profile = defaultProfile) => {
  const read = readAnswer(name, body, profile)
  if (!read.ok) throw new Error(read.issues.join('; '))
  return read.result
}
const wrapping = parseProfile({ list: { envelope: 'results' } })

describe('an answer', () => {
  it('needs no more of a created task than its id', () => {
    expect(result('createTask', { taskId: 3_000_000_000, status: 'Queued' })).to.deep.equal({
      taskId: 3_000_000_000,
      status: 'Received',
      statusReason: null,
    })
    expect(issues('createTask', { status: 'Received' })).to.have.lengthOf(1)
  })

  it('has ids of any whole number that is kept exactly, and refuses one that would be rounded', () => {
    const task = (id: string) => JSON.parse(`{ "taskId": ${id}, "status": "Pending" }`)
    for (const id of ['0', '-7', '2147483648', '9007199254740991'])
      expect(result('readTask', task(id))).to.deep.include({ taskId: Number(id) })
    expect(issues('readTask', task('9007199254740993'))).to.deep.equal([
      'taskId: a whole number up to 9007199254740991',
    ])
    expect(issues('readTask', task('1.5'))).to.have.lengthOf(1)
  })

  it('may leave out, empty or misspell what nothing depends on', () => {
    const task = {
      taskId: 1,
      status: 'Pending',
      statusReason: { code: 7 },
      createdAt: 'yesterday',
      documentId: 'x',
      output: {},
    }
    expect(result('readTask', task)).to.deep.include({ statusReason: null, createdAt: null, documentId: null })
    expect(result('listDocumentTypes', [{ id: 1, category: null }])).to.deep.equal([{ id: 1, name: '', category: '' }])
    const [subscription] = result('listSubscriptions', [{ id: 1 }]) as object[]
    expect(subscription).to.include({ url: '', isActive: true })
  })

  it('may be wrapped, in the named property or in the only array', () => {
    const list = [{ id: 1, name: 'Order', category: 'Order' }]
    expect(result('listDocumentTypes', { results: list, warnings: [] }, wrapping)).to.deep.equal(list)
    expect(result('listDocumentTypes', { items: list, total: 1 }, wrapping)).to.deep.equal(list)
    expect(result('listDocumentTypes', list, wrapping)).to.deep.equal(list)
  })

  it('that cannot be read names the place, and no value', () => {
    const tasks = [
      { taskId: 1, status: 'Pending' },
      { taskId: 'seven', status: 'Whitfield' },
    ]
    expect(issues('listTasks', { results: tasks }, wrapping)).to.deep.equal([
      'results[1].taskId: a whole number up to 9007199254740991',
      'results[1].status: one of Received, Processing, Pending, Completed, Rejected, Retracted, Failed, Cancelled',
    ])
    expect(issues('listTasks', { tasks: 'none' }, wrapping)?.[0]).to.match(/^results: /)
    expect(issues('readTask', { taskId: 1, status: 'Completed', output: { attachment: 7 } })).to.deep.equal([
      'output.attachment: a PDF encoded as Base64',
    ])
    expect(issues('readTask', undefined)).to.deep.equal(['the body is not the expected JSON'])
  })
})
