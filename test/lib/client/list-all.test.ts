/** Lists from hosts that page, page otherwise, or do not page. */
import { expect } from 'chai'
import { type ListAllOptions, listAll, tasksOfDocument } from '../../../lib/client/list-all.ts'
import type { CallOf } from '../../../lib/contract/calls.ts'
import type { Task } from '../../../lib/contract/task/task.ts'
import { aTaskRecord } from '../support/bodies.ts'

type Query = NonNullable<CallOf<'listTasks'>['query']>

describe('listing all tasks', () => {
  const newestFirst = (count: number) => Array.from({ length: count }, (_, at) => aTaskRecord({ taskId: count - at }))

  async function list(answer: (query: Query) => Task[], options: ListAllOptions = {}, filter: Query = {}) {
    const queries: Query[] = []
    const pages = listAll(
      {
        listTasks: async (call) => {
          queries.push(call?.query ?? {})
          if (queries.length > 50) throw new Error('it loops')
          return answer(call?.query ?? {})
        },
      },
      filter,
      options,
    )
    const ids: number[] = []
    for (;;) {
      const { done, value } = await pages.next()
      if (done) return { ids, queries, isComplete: value.isComplete }
      ids.push(value.taskId)
    }
  }

  /** A host that pages as the service does. */
  const paging = (tasks: Task[]) => (query: Query) =>
    tasks.filter(({ taskId }) => taskId < (query.before ?? Number.POSITIVE_INFINITY)).slice(0, query.limit ?? 100)

  it('follows the pages to the end', async () => {
    const { ids, queries, isComplete } = await list(paging(newestFirst(250)), { pageSize: 100 }, { isFiled: false })
    expect(ids).to.deep.equal(newestFirst(250).map(({ taskId }) => taskId))
    expect(isComplete).to.equal(true)
    expect(queries).to.deep.equal([
      { isFiled: false, limit: 100 },
      { isFiled: false, limit: 100, before: 151 },
      { isFiled: false, limit: 100, before: 51 },
    ])
  })

  it('needs one more call when the last page is full', async () => {
    const { ids, queries, isComplete } = await list(paging(newestFirst(200)), { pageSize: 100 })
    expect([ids.length, queries.length, isComplete]).to.deep.equal([200, 3, true])
  })

  it('does not loop on a host that ignores paging, and gives each task once', async () => {
    const { ids, queries, isComplete } = await list(() => newestFirst(300), { pageSize: 100 })
    expect([ids.length, new Set(ids).size, queries.length, isComplete]).to.deep.equal([300, 300, 2, false])
  })

  it('says that it does not know the end of a list that is cut', async () => {
    const { ids, isComplete } = await list(() => newestFirst(100), { pageSize: 100 })
    expect([ids.length, isComplete]).to.deep.equal([100, false])
  })

  it('sends no paging parameters when told so', async () => {
    const { queries, ids } = await list(() => newestFirst(3), { pageSize: null })
    expect([queries, ids.length]).to.deep.equal([[{}], 3])
  })

  it('copes with an empty list', async () => {
    expect(await list(() => [])).to.deep.include({ ids: [], isComplete: true })
  })
})

describe('the tasks of a document', () => {
  const find = (tasks: Task[]) => tasksOfDocument({ listTasks: async () => tasks }, 'EHR|DOC-000123')

  it('are those with exactly its id', async () => {
    expect(await find([aTaskRecord()])).to.deep.equal({ tasks: [aTaskRecord()], isComplete: true })
    expect(await find([])).to.deep.equal({ tasks: [], isComplete: true })
  })

  it('are never others, and a list with others is not relied on', async () => {
    for (const externalDocId of ['EHR|DOC-0001234', 'ehr|doc-000123', 'EHR|DOC-000123 ', null, undefined])
      expect(await find([aTaskRecord({ externalDocId })])).to.deep.equal({ tasks: [], isComplete: false })
  })
})
