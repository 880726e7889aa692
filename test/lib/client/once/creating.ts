/** Create-once over a host that answers as told, on a virtual clock; fresh for each test of a describe. */
import { expect } from 'chai'
import { UnreachableError } from '../../../../lib/client/errors.ts'
import { type CreateOnceOptions, createOnce } from '../../../../lib/client/once/create-once.ts'
import { serviceScope } from '../../../../lib/client/service-scope.ts'
import type { CreateTask, Task } from '../../../../lib/contract/task/task.ts'
import { createJournal } from '../../../../lib/journal/journal.ts'
import { SqliteStore } from '../../../../lib/journal/sqlite-store.ts'
import { FakeClock } from '../../../support/fake-clock.ts'
import { aCreateBody } from '../../support/bodies.ts'
import { emptyJournal } from '../../support/empty-journal.ts'

export const created = { taskId: 1001, status: 'Received', statusReason: null } as const
export const timedOut = () => new UnreachableError('createTask', 'ETIMEDOUT', true)

/** Call it inside a describe. */
export function creating() {
  const clock = new FakeClock()
  const journal = createJournal(new SqliteStore(':memory:', 'create'))
  /** What the host answers to each POST and each list in turn; the last answer is repeated. */
  const host: { posts: (typeof created | Error)[]; lists: (Task[] | Error)[] } = { posts: [], lists: [] }
  /** `post` and `list`, as they came. */
  const calls: string[] = []

  beforeEach(async () => {
    await emptyJournal(journal)
    Object.assign(host, { posts: [created], lists: [[]] })
    calls.length = 0
  })
  after(() => journal.close())

  const next = <T>(answers: (T | Error)[]): T => {
    const answer = answers.length > 1 ? answers.shift()! : answers[0]!
    if (answer instanceof Error) throw answer
    return answer
  }
  const anOnce = (options: Partial<CreateOnceOptions> = {}) =>
    createOnce({
      client: {
        createTask: async () => {
          calls.push('post')
          return next(host.posts)
        },
        listTasks: async (call) => {
          calls.push('list')
          expect(call).to.deep.equal({ query: { externalDocId: 'EHR|DOC-000123' } })
          return next(host.lists)
        },
      },
      journal,
      scope: serviceScope('https://sign.example.org/', 'key'),
      clock,
      random: () => 0.5,
      ...options,
    })
  const failure = async (work: Promise<unknown>) =>
    (await clock.until(
      work.then(
        () => ({}),
        (error) => error,
      ),
    )) as Error & { code?: string; taskIds?: number[] }
  const create = (body: CreateTask = aCreateBody(), options: Partial<CreateOnceOptions> = {}) =>
    clock.until(anOnce(options).createTask(body))

  return { clock, journal, host, calls, anOnce, failure, create }
}
