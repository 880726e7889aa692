/** Which tasks of a document are taken back, by what the host lists, and what becomes of them. */
import { expect } from 'chai'
import type { Client } from '../../lib/client/client.ts'
import { RefusedError } from '../../lib/client/errors.ts'
import type { Task, TaskStatus } from '../../lib/contract/task/task.ts'
import { retractDocument } from '../../nodes/shared/document/retract-document.ts'
import { type Sources, tasksToRetract } from '../../nodes/shared/document/tasks-to-retract.ts'

describe('the tasks of a document that is taken back', () => {
  const tasks = (...statuses: TaskStatus[]): Task[] =>
    statuses.map((status, index) => ({ taskId: index + 1, status, externalDocId: 'DOC-1' }) as Task)
  const version = (number: number, taskId: number, status: TaskStatus) =>
    ({ taskId, status, externalDocId: `DOC-1.r${number}` }) as Task
  /** A host that applies the filter, except to tasks that do not say whose document they are about. */
  const listing = (listed: Task[]) =>
    ({
      client: {
        listTasks: async ({ query }: { query: { externalDocId: string } }) =>
          listed.filter((task) => task.externalDocId === undefined || task.externalDocId === query.externalDocId),
      },
      create: { taskOf: async () => undefined, knows: async () => false, withdraw: async () => WITHDRAWN },
    }) as unknown as Sources
  const { signal } = new AbortController()
  const WITHDRAWN = { withdrawnAt: 5, taskIds: [] }
  const found = async (listed: Task[], host = listing(listed)) =>
    (await tasksToRetract(host, { externalDocId: 'DOC-1' }, signal)).taskIds
  const refusal = (listed: Task[]) => found(listed).catch((failure) => failure)

  it('is the open one, however many have ended', async () => {
    expect(await found(tasks('Retracted', 'Pending', 'Rejected'))).to.deep.equal([2])
  })

  it('is the newest one when none is open', async () => {
    expect(await found(tasks('Completed', 'Retracted'))).to.deep.equal([2])
  })

  it('is nobody’s to guess when several are open', async () => {
    const { code, message } = await refusal(tasks('Pending', 'Retracted', 'Received'))
    expect(code).to.equal('SEVERAL_TASKS')
    expect(message).to.include('1, 3').and.not.include('DOC-1')
  })

  it('is none when the host lists none, and is not known when it lists others in its place', async () => {
    expect(await tasksToRetract(listing([]), { externalDocId: 'DOC-1' }, signal)).to.deep.equal({
      taskIds: [],
      withdrawnAt: 5,
    })
    expect(await retractDocument(listing([]) as never, { externalDocId: 'DOC-1' }, { signal })).to.deep.equal({
      withdrawnAt: 5,
    })
    const another = { ...tasks('Pending')[0]!, externalDocId: 'DOC-10' }
    const ignoring = { ...listing([]), client: { listTasks: async () => [another] } as unknown as Client }
    const unknown = await found([], ignoring).catch((failure) => failure)
    expect([[], 'LIST_INCOMPLETE']).to.deep.include(unknown.code ?? unknown)
  })

  it('is not told while the host may have further ones', async () => {
    const { externalDocId: _, ...unnamed } = tasks('Pending')[0]!
    expect(await refusal([...tasks('Pending'), { ...unnamed, taskId: 9 }])).to.include({ code: 'LIST_INCOMPLETE' })
  })
  it('are those of its versions, too, whichever are open', async () => {
    const first = tasks('Retracted')
    expect(await found([...first, version(2, 7, 'Retracted'), version(3, 9, 'Pending')])).to.deep.equal([9])
    expect(await found([...tasks('Pending'), version(2, 7, 'Received')])).to.deep.equal([1, 7])
    expect(await found([...first, version(2, 7, 'Completed')])).to.deep.equal([7])
    const twice = [version(2, 7, 'Pending'), version(2, 8, 'Pending')]
    expect(await refusal([...first, ...twice])).to.include({ code: 'SEVERAL_TASKS' })
  })

  it('are those that were created from here, although the host does not list them yet', async () => {
    const made = new Map([
      ['DOC-1', 4],
      ['DOC-1.r2', 7],
      ['DOC-1.r3', 9],
    ])
    const { client: lists } = listing(tasks('Retracted'))
    const client = {
      ...lists,
      async readTask({ params: { id } }: { params: { id: number } }) {
        if (id === 9) throw new RefusedError('readTask', 404, ['id: there is no such task'])
        return { taskId: id, status: 'Pending' }
      },
    } as unknown as Client
    const withdrawn: unknown[] = []
    const create = {
      taskOf: async (id: string) => made.get(id),
      knows: async (id: string) => made.has(id),
      async withdraw(id: string, { aliases }: { aliases?: readonly string[] } = {}) {
        withdrawn.push([id, ...(aliases ?? [])])
        return { withdrawnAt: 5, taskIds: id === 'DOC-1' ? [4, 11] : [made.get(id)!] }
      },
    }
    const document = { externalDocId: 'DOC-1', aliases: ['DOC-F'] }
    // 11 was created under another id, and DOC-F is another id of it.
    expect((await tasksToRetract({ client, create }, document, signal)).taskIds).to.deep.equal([4, 7, 11])
    expect(withdrawn).to.deep.equal([['DOC-1', 'DOC-F'], ['DOC-1.r2'], ['DOC-1.r3']])
    withdrawn.length = 0
    const { taskIds } = await tasksToRetract({ client, create }, { ...document, kept: 'DOC-1.r2' }, signal)
    expect({ taskIds, withdrawn }).to.deep.equal({ taskIds: [4, 11], withdrawn: [['DOC-1', 'DOC-F']] })
  })

  it('are all withdrawn, although one of them was signed meanwhile', async () => {
    const retracted: number[] = []
    const { client: lists, create } = listing([...tasks('Pending'), version(2, 7, 'Pending')])
    const client = {
      ...lists,
      async retractTask({ params: { id } }: { params: { id: number } }) {
        if (id === 1) throw new RefusedError('retractTask', 400, ['id: the task is Completed'])
        retracted.push(id)
      },
      readTask: async () => ({ taskId: 1, status: 'Completed' }),
    } as unknown as Client
    const failure = await retractDocument({ client, create }, { externalDocId: 'DOC-1' }, { signal }).catch(
      (thrown) => thrown,
    )
    expect(failure).to.include({ code: 'ALREADY_SIGNED' })
    expect(retracted).to.deep.equal([7])
  })
})
