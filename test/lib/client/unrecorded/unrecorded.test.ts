/** The search for outcomes that nobody has recorded, on a virtual clock: when each is due, and how far back it is looked for. */
import { expect } from 'chai'
import { RefusedError, UnreachableError } from '../../../../lib/client/errors.ts'
import { createHorizon } from '../../../../lib/client/unrecorded/horizon.ts'
import { createOutcomeLedger } from '../../../../lib/client/unrecorded/outcome-ledger.ts'
import { type UnrecordedOptions, unrecorded } from '../../../../lib/client/unrecorded/unrecorded.ts'
import type { Task } from '../../../../lib/contract/task/task.ts'
import { createJournal } from '../../../../lib/journal/journal.ts'
import { SqliteStore } from '../../../../lib/journal/sqlite-store.ts'
import { FakeClock } from '../../../support/fake-clock.ts'
import { aTaskRecord } from '../../support/bodies.ts'
import { emptyJournal } from '../../support/empty-journal.ts'

const MINUTE = 60_000

describe('the search for unrecorded outcomes', () => {
  const journal = createJournal(new SqliteStore(':memory:', 'outcomes'))
  const clock = new FakeClock()
  const tasks = new Map<number, Task>()
  /** What a read answers where that is not what the list says. */
  const asRead = new Map<number, Task | Error>()
  const client = {
    listTasks: async (call?: { query?: { status?: string | undefined } }) =>
      [...tasks.values()].filter(({ status }) => status === call?.query?.status),
    readTask: async ({ params: { id } }: { params: { id: number } }) => {
      const task = asRead.get(id) ?? tasks.get(id)!
      if (task instanceof Error) throw task
      return task
    },
  }
  const aLedger = (run = 'this run') => createOutcomeLedger({ journal, run, now: clock.now })

  beforeEach(async () => {
    await emptyJournal(journal)
    tasks.clear()
    asRead.clear()
  })
  after(() => journal.close())

  const ended = (taskId: number, more: Partial<Task> = {}) => {
    const task = aTaskRecord({ taskId, status: 'Completed', ...more })
    tasks.set(taskId, task)
    return task
  }

  async function found(options: Partial<UnrecordedOptions> = {}) {
    const all: [taskId: number, sentBefore: number][] = []
    const search = unrecorded({
      client,
      ledger: aLedger(),
      isAwaited: async () => false,
      createdSince: 0,
      quietMs: 0,
      repeatMs: 60 * MINUTE,
      signal: new AbortController().signal,
      ...options,
    })
    for await (const { task, sentBefore } of search) all.push([task.taskId, sentBefore])
    return all
  }

  it('finds each once in its time, however many search at once, and again after that', async () => {
    for (const taskId of [1, 2, 3]) ended(taskId)
    const searches = await Promise.all([found(), found(), found({ ledger: aLedger() })])
    expect(searches.flat().toSorted()).to.deep.equal([
      [1, 0],
      [2, 0],
      [3, 0],
    ])
    clock.advance(59 * MINUTE)
    expect(await found()).to.deep.equal([])
    clock.advance(MINUTE)
    expect(await found()).to.deep.equal([
      [1, 1],
      [2, 1],
      [3, 1],
    ])
    clock.advance(60 * MINUTE)
    expect((await found()).map(([, sentBefore]) => sentBefore)).to.deep.equal([2, 2, 2])
  })

  it('finds at once what an earlier run had sent, unless it was recorded', async () => {
    for (const taskId of [1, 2]) ended(taskId)
    await found({ ledger: aLedger('an earlier run') })
    await aLedger().recorded(2)
    expect(await found()).to.deep.equal([[1, 1]])
  })

  it('leaves an outcome alone for a while after the task ended, or was first seen where the host does not say', async () => {
    const at = (ms: number) => new Date(ms).toISOString()
    ended(1, { updatedAt: at(clock.now() - 15 * MINUTE) })
    ended(2, { updatedAt: at(clock.now() - 14 * MINUTE) })
    ended(3, { updatedAt: null })
    ended(4, { updatedAt: at(clock.now() + 24 * 60 * MINUTE) })
    const quietMs = 15 * MINUTE
    expect(await found({ quietMs })).to.deep.equal([[1, 0]])
    clock.advance(MINUTE)
    expect(await found({ quietMs })).to.deep.equal([[2, 0]])
    clock.advance(14 * MINUTE)
    expect(await found({ quietMs })).to.deep.equal([
      [3, 0],
      [4, 0],
    ])
  })

  it('leaves alone what is recorded, archived, filed or awaited', async () => {
    ended(1, { output: { externalSavedDocumentId: 'SAVED-1' } })
    ended(2, { output: { isArchived: true } })
    ended(3, { output: { isFiled: true } })
    ended(4)
    expect(await found({ isAwaited: async (taskId) => taskId === 4 })).to.deep.equal([])
    expect(await found()).to.deep.equal([[4, 0]])
  })

  it('believes the task as read, not a list that lags behind, and remembers it', async () => {
    ended(1)
    asRead.set(1, { ...ended(1), output: { externalSavedDocumentId: 'SAVED-1' } })
    expect(await found()).to.deep.equal([])
    asRead.clear()
    expect(await found()).to.deep.equal([])
  })

  it('passes over a task that is listed and cannot be read, and ends when the host is away', async () => {
    for (const taskId of [1, 2]) ended(taskId)
    asRead.set(1, new RefusedError('readTask', 404, ['there is no such task']))
    expect(await found()).to.deep.equal([[2, 0]])
    asRead.set(1, new UnreachableError('readTask', 'ECONNREFUSED', false))
    const failure = await found().catch((reason: unknown) => reason)
    expect(failure).to.be.instanceOf(UnreachableError)
    asRead.clear()
    expect(await found(), 'it was not claimed').to.deep.equal([[1, 0]])
  })
})

describe('how far back a list is read', () => {
  const places = (days: (number | null)[]) => {
    const place = createHorizon(Date.UTC(2026, 0, 10))
    return days.map((day) => place(day === null ? null : new Date(Date.UTC(2026, 0, day)).toISOString()))
  }

  it('is to the first that is older, in a list that is newest first', () => {
    expect(places([12, 10, 10, 9])).to.deep.equal(['within', 'within', 'within', 'end'])
    expect(places([9, 9, 8])).to.deep.equal(['older', 'older', 'end'])
  })

  it('is to the end in any other list, and past tasks without a time', () => {
    expect(places([8, 9, 11])).to.deep.equal(['older', 'older', 'within'])
    expect(places([11, 12, 8, 13])).to.deep.equal(['within', 'within', 'older', 'within'])
    expect(places([null, 12, null])).to.deep.equal(['within', 'within', 'within'])
  })
})
