/** Lists from hosts that page, page otherwise, or do not page. */
import { expect } from 'chai'
import { rememberFacts } from '../../../lib/client/list/page-facts.ts'
import { applyFilters } from '../../../lib/client/list/task-filter.ts'
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

  /** A host that leads from page to page; `next` is what it says after each. */
  const leading = (pages: Task[][], said: (string | null)[], isLast = false) => {
    const asked: unknown[] = []
    const listTasks = async (_: unknown, options?: { page?: unknown }) => {
      asked.push(options?.page)
      const at = asked.length - 1
      const tasks = [...(pages[at] ?? [])]
      const next = said[at] ?? null
      const facts = { ids: tasks.map(({ taskId }) => taskId), ignoredFilters: [], unjudged: [] }
      rememberFacts(tasks, {
        ...facts,
        next: next === null ? null : { cursor: next },
        isLast: isLast && at === pages.length - 1,
      })
      return tasks
    }
    return { asked, client: { listTasks } }
  }
  async function all(client: Parameters<typeof listAll>[0], options?: ListAllOptions) {
    const pages = listAll(client, {}, options)
    const ids: number[] = []
    for (;;) {
      const { done, value } = await pages.next()
      if (done) return { ids, isComplete: value.isComplete }
      ids.push(value.taskId)
    }
  }

  it('goes to the page that the host leads to, also where its pages are shorter than asked', async () => {
    const [first, second] = [newestFirst(5).slice(0, 3), newestFirst(2)]
    const { asked, client } = leading([first, second], ['b', null])
    expect(await all(client)).to.deep.equal({ ids: [5, 4, 3, 2, 1], isComplete: true })
    expect(asked).to.deep.equal([undefined, { cursor: 'b' }])
    const ending = leading([first, second], ['b', 'c'], true)
    expect(await all(ending.client)).to.deep.equal({ ids: [5, 4, 3, 2, 1], isComplete: true })
  })

  it('does not know the end where a page repeats tasks of the one before', async () => {
    const [first, second] = [newestFirst(5).slice(0, 3), newestFirst(3)]
    expect(await all(leading([first, second], ['b', null]).client)).to.deep.equal({
      ids: [5, 4, 3, 2, 1],
      isComplete: false,
    })
    const short = await list(
      ({ before }) => (before === undefined ? newestFirst(3).slice(0, 2) : newestFirst(3).slice(1, 2)),
      { pageSize: 2 },
    )
    expect(short).to.deep.include({ ids: [3, 2], isComplete: false })
    expect(await all(leading([first, first], ['b', 'b']).client)).to.deep.equal({ ids: [5, 4, 3], isComplete: false })
  })

  it('copes with an empty list', async () => {
    expect(await list(() => [])).to.deep.include({ ids: [], isComplete: true })
  })
})

describe('the filters of a list', () => {
  it('are applied to what a host sends all the same, each to what it is about', () => {
    const output = { externalSavedDocumentId: 'S1', isArchived: true, isFiled: false }
    const task = aTaskRecord({ status: 'Pending', output: { ...output, attachment: null } })
    const kept = (query: Parameters<typeof applyFilters>[1]) => {
      const { tasks, ignoredFilters, unjudged } = applyFilters([task], query)
      return [tasks.length, ignoredFilters.join(), unjudged.join()]
    }
    for (const fitting of [
      { status: 'Pending' as const },
      { externalDocId: 'EHR|DOC-000123' },
      { externalSavedDocumentIds: ['S0', 'S1'] },
      { isArchived: true },
      { isFiled: false },
      {},
    ])
      expect(kept(fitting), JSON.stringify(fitting)).to.deep.equal([1, '', ''])
    expect(kept({ status: 'Completed' })).to.deep.equal([0, 'status', ''])
    expect(kept({ externalDocId: 'EHR|DOC-00012' })).to.deep.equal([0, 'externalDocId', ''])
    expect(kept({ externalSavedDocumentIds: ['S0'] })).to.deep.equal([0, 'externalSavedDocumentIds', ''])
    expect(kept({ isArchived: false })).to.deep.equal([0, 'isArchived', ''])
    expect(kept({ isFiled: true })).to.deep.equal([0, 'isFiled', ''])
  })
})

describe('the tasks of a document', () => {
  const find = (tasks: Task[]) => tasksOfDocument({ listTasks: async () => tasks }, 'EHR|DOC-000123')

  it('are those with exactly its id', async () => {
    expect(await find([aTaskRecord()])).to.deep.equal({ tasks: [aTaskRecord()], isComplete: true })
    expect(await find([])).to.deep.equal({ tasks: [], isComplete: true })
  })

  it('are looked for through the pages of a host that does not filter, up to their end', async () => {
    const mine = (taskId: number) => aTaskRecord({ taskId })
    const other = (taskId: number) => aTaskRecord({ taskId, externalDocId: 'EHR|OTHER' })
    const through = async (pages: Task[][], said: (string | null)[], unjudged: 'externalDocId'[] = []) => {
      const asked: unknown[] = []
      const listTasks = async (_: unknown, options?: { page?: unknown }) => {
        asked.push(options?.page)
        const at = Math.min(asked.length, pages.length) - 1
        const tasks = [...pages[at]!]
        const next = said[at] ?? null
        const ids = tasks.map(({ taskId }) => taskId)
        rememberFacts(tasks, {
          ids,
          ignoredFilters: [],
          unjudged,
          isLast: false,
          next: next === null ? null : { cursor: next },
        })
        return tasks
      }
      const { tasks, isComplete } = await tasksOfDocument({ listTasks }, 'EHR|DOC-000123')
      return { ids: tasks.map(({ taskId }) => taskId), isComplete, asked }
    }
    expect(await through([[other(9), mine(8)], [other(7), mine(6)], [other(5)]], ['b', 'c', null])).to.deep.equal({
      ...{ ids: [8, 6], isComplete: true, asked: [undefined, { cursor: 'b' }, { cursor: 'c' }] },
    })
    expect(await through([[other(9), mine(8)]], ['b']), 'the same page again').to.deep.include({
      ids: [8],
      isComplete: false,
    })
    expect(await through([[other(9), mine(8)]], [null])).to.deep.include({ ids: [8], isComplete: false })
    expect(await through([[mine(8)]], [null], ['externalDocId'])).to.deep.include({ ids: [8], isComplete: false })
    const endless = Array.from({ length: 60 }, (_, at) => [other(100 - at)])
    const long = await through(
      endless,
      endless.map((_, at) => `${at}`),
    )
    expect([long.isComplete, long.asked.length]).to.deep.equal([false, 50])
  })

  it('are never others, and a list with others is not relied on', async () => {
    for (const externalDocId of ['EHR|DOC-0001234', 'ehr|doc-000123', 'EHR|DOC-000123 ', null, undefined])
      expect(await find([aTaskRecord({ externalDocId })])).to.deep.equal({ tasks: [], isComplete: false })
  })
})
