/** Which task of a document is taken back, by what the host lists. */
import { expect } from 'chai'
import type { Client } from '../../lib/client/client.ts'
import type { Task, TaskStatus } from '../../lib/contract/task/task.ts'
import { taskOfDocument } from '../../nodes/shared/service/task-of-document.ts'

describe('the task of a document that is taken back', () => {
  const tasks = (...statuses: TaskStatus[]): Task[] =>
    statuses.map((status, index) => ({ taskId: index + 1, status, externalDocId: 'DOC-1' }) as Task)
  const found = (listed: Task[]) => {
    const client = { listTasks: async () => listed } as unknown as Pick<Client, 'listTasks'>
    return taskOfDocument(client, 'DOC-1', new AbortController().signal)
  }
  const refusal = (listed: Task[]) => found(listed).catch((failure) => failure)

  it('is the open one, however many have ended', async () => {
    expect(await found(tasks('Retracted', 'Pending', 'Rejected'))).to.equal(2)
  })

  it('is the newest one when none is open', async () => {
    expect(await found(tasks('Completed', 'Retracted'))).to.equal(2)
  })

  it('is nobody’s to guess when several are open', async () => {
    const { code, message } = await refusal(tasks('Pending', 'Retracted', 'Received'))
    expect(code).to.equal('SEVERAL_TASKS')
    expect(message).to.include('1, 3').and.not.include('DOC-1')
  })

  it('is unknown when the host lists none, or others in its place', async () => {
    expect(await refusal([])).to.include({ code: 'UNKNOWN_TASK' })
    const another = { ...tasks('Pending')[0]!, externalDocId: 'DOC-10' }
    expect((await refusal([another])).code).to.be.oneOf(['UNKNOWN_TASK', 'LIST_INCOMPLETE'])
  })

  it('is not told while the host may have further ones', async () => {
    const { externalDocId: _, ...unnamed } = tasks('Pending')[0]!
    expect(await refusal([...tasks('Pending'), { ...unnamed, taskId: 9 }])).to.include({ code: 'LIST_INCOMPLETE' })
  })
})
