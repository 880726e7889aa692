/** A watch over a service in memory, on a virtual clock, with all that it reports; fresh for each test of a describe. */
import { RefusedError } from '../../../lib/client/errors.ts'
import type { Outcome, Progress } from '../../../lib/client/watch/outcome.ts'
import { createWatch, type Watch, type WatchOptions } from '../../../lib/client/watch/watch.ts'
import type { Task } from '../../../lib/contract/task/task.ts'
import { createJournal } from '../../../lib/journal/journal.ts'
import { SqliteStore } from '../../../lib/journal/sqlite-store.ts'
import { FakeClock } from '../../support/fake-clock.ts'
import { aTaskRecord } from '../support/bodies.ts'
import { emptyJournal } from '../support/empty-journal.ts'

export const HOUR = 3_600_000

/** Call it inside a describe. */
export function watching() {
  const clock = new FakeClock()
  const journal = createJournal(new SqliteStore(':memory:', 'watch'))
  /** What the service answers for each task; 404 for others. */
  const tasks = new Map<number, Task | Error>()
  const outcomes: Outcome[] = []
  const progress: Progress[] = []
  const errors: [unknown, number | undefined][] = []
  const reads: number[] = []
  const watches: Watch[] = []

  afterEach(async () => {
    for (const watch of watches.splice(0)) await watch.close()
    await emptyJournal(journal)
    tasks.clear()
    for (const list of [outcomes, progress, errors, reads]) list.length = 0
  })
  after(() => journal.close())

  function aWatch(options: Partial<WatchOptions> = {}): Watch {
    const watch = createWatch({
      client: {
        readTask: async ({ params }) => {
          reads.push(params.id)
          const task = tasks.get(params.id) ?? new RefusedError('readTask', 404, ['there is no such task'])
          if (task instanceof Error) throw task
          return task
        },
      },
      journal,
      onOutcome: (outcome) => outcomes.push(outcome),
      onProgress: (step) => progress.push(step),
      onError: (error, taskId) => errors.push([error, taskId]),
      clock,
      random: () => 0.5,
      ...options,
    })
    watches.push(watch)
    return watch
  }
  const becomes = (status: Task['status'], taskId = 1001) => tasks.set(taskId, aTaskRecord({ taskId, status }))

  return { clock, journal, tasks, outcomes, progress, errors, reads, aWatch, becomes }
}
