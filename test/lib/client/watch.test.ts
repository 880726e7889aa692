import { expect } from 'chai'
import {
  RefusedError,
  UnauthorizedError,
  UnexpectedResponseError,
  UnreachableError,
} from '../../../lib/client/errors.ts'
import { createWatch, type Outcome, type Progress, type Watch, type WatchOptions } from '../../../lib/client/watch.ts'
import type { Task } from '../../../lib/contract/task.ts'
import { type Journal, openJournal } from '../../../lib/journal/open.ts'
import { aTask } from '../support/bodies.ts'
import { type FakeClock, fakeClock, settle } from '../support/fake-clock.ts'

const HOUR = 3_600_000

describe('waiting for an outcome', () => {
  let clock: FakeClock
  let journal: Journal
  let tasks: Map<number, Task | Error>
  let outcomes: Outcome[]
  let progress: Progress[]
  let errors: [unknown, number | undefined][]
  let reads: number[]
  let watches: Watch[]

  beforeEach(async () => {
    clock = fakeClock()
    journal = await openJournal(':memory:', 'watch')
    tasks = new Map()
    outcomes = []
    progress = []
    errors = []
    reads = []
    watches = []
  })
  afterEach(async () => {
    for (const watch of watches) await watch.close()
    await journal.disconnect()
  })

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
  const becomes = (status: Task['status'], taskId = 1001) => tasks.set(taskId, aTask({ taskId, status }))

  it('looks first', async () => {
    becomes('Completed')
    await aWatch().add(1001)
    await settle()
    expect(outcomes).to.have.length(1)
    expect(outcomes[0]).to.deep.include({ taskId: 1001, outcome: 'completed', status: 'Completed', meta: {} })
    expect(outcomes[0]?.task?.taskId).to.equal(1001)
  })

  const kinds = {
    Completed: 'completed',
    Rejected: 'rejected',
    Retracted: 'ended',
    Failed: 'ended',
    Cancelled: 'ended',
  } as const
  for (const [status, outcome] of Object.entries(kinds))
    it(`calls ${status} ${outcome}`, async () => {
      becomes(status as Task['status'])
      await aWatch().add(1001)
      await settle()
      expect(outcomes.map((seen) => seen.outcome)).to.deep.equal([outcome])
    })

  it('looks less and less often, but never less than the longest pause', async () => {
    becomes('Pending')
    await aWatch().add(1001)
    await clock.advance(60_000)
    expect(reads.length).to.be.within(6, 9)
    await clock.advance(24 * HOUR)
    expect(reads.length).to.be.within(140, 170)
  })

  it('tells of each change of the status on the way', async () => {
    const watch = aWatch()
    becomes('Received')
    await watch.add(1001)
    await clock.advance(10_000)
    becomes('Processing')
    await clock.advance(10_000)
    becomes('Pending')
    await clock.advance(60_000)
    expect(progress.map(({ previous, status }) => [previous, status])).to.deep.equal([
      ['Received', 'Processing'],
      ['Processing', 'Pending'],
    ])
  })

  it('is woken by a callback', async () => {
    const watch = aWatch()
    becomes('Pending')
    await watch.add(1001)
    await clock.advance(HOUR)
    reads.length = 0
    becomes('Completed')
    expect(watch.nudge(1001)).to.equal(true)
    expect(watch.nudge(5)).to.equal(false)
    await settle()
    expect(outcomes).to.have.length(1)
    expect(reads).to.deep.equal([1001])
  })

  it('looks again when it is woken in the middle of a look', async () => {
    const answers: ((task: Task) => void)[] = []
    const watch = aWatch({ client: { readTask: () => new Promise((resolve) => answers.push(resolve)) } })
    await watch.add(1001)
    watch.nudge(1001)
    expect(answers).to.have.length(1)
    answers[0]?.(aTask({ status: 'Pending' }))
    await settle()
    expect(answers).to.have.length(2)
    answers[1]?.(aTask({ status: 'Completed' }))
    await settle()
    expect(outcomes).to.have.length(1)
  })

  it('reports an outcome once, and then costs nothing', async () => {
    const watch = aWatch()
    becomes('Completed')
    await watch.add(1001)
    await clock.advance(24 * HOUR)
    expect([outcomes.length, reads.length, watch.size, clock.timers]).to.deep.equal([1, 1, 0, 0])
  })

  it('reports again what could not be reported', async () => {
    let isBroken = true
    becomes('Completed')
    await aWatch({
      onOutcome: (outcome) => {
        if (isBroken) throw new Error('the flow failed')
        outcomes.push(outcome)
      },
    }).add(1001)
    await clock.advance(1000)
    expect(errors).to.have.length(1)
    isBroken = false
    await clock.advance(10_000)
    expect(outcomes).to.have.length(1)
  })

  describe('across a restart', () => {
    it('takes up the waits with what was kept for them, and reports each once', async () => {
      const first = aWatch()
      for (const id of [1, 2, 3]) {
        becomes('Pending', id)
        await first.add(id, { meta: { order: `${id}` }, deadline: clock.now() + 48 * HOUR })
      }
      becomes('Completed', 2)
      await clock.advance(HOUR)
      await first.close()
      becomes('Rejected', 3)

      const second = aWatch()
      expect(await second.resume()).to.equal(2)
      await settle()
      expect(outcomes.map(({ taskId, outcome, meta }) => [taskId, outcome, meta])).to.deep.equal([
        [2, 'completed', { order: '2' }],
        [3, 'rejected', { order: '3' }],
      ])
      await clock.advance(48 * HOUR)
      expect(outcomes.at(-1)).to.include({ taskId: 1, outcome: 'timed-out' })
    })

    it('does not tell of a status again that was told before', async () => {
      const first = aWatch()
      becomes('Pending')
      await first.add(1001)
      await settle()
      await first.close()
      await aWatch().resume()
      await clock.advance(HOUR)
      expect(progress).to.have.length(1)
    })

    it('says nothing more after it was closed, and leaves no timer', async () => {
      const watch = aWatch()
      becomes('Pending')
      await watch.add(1001, { deadline: clock.now() + 1000 })
      await settle()
      await watch.close()
      await clock.advance(HOUR)
      expect([outcomes.length, clock.timers]).to.deep.equal([0, 0])
      expect(await watch.add(2).catch((failure: Error) => failure.name)).to.equal('AbortError')
    })
  })

  describe('with a deadline', () => {
    it('ends as timed-out after one last look', async () => {
      becomes('Pending')
      await aWatch().add(1001, { deadline: clock.now() + HOUR })
      await clock.advance(HOUR - 1)
      expect(outcomes).to.deep.equal([])
      await clock.advance(1)
      expect(outcomes[0]).to.include({ outcome: 'timed-out', status: 'Pending' })
    })

    it('prefers the outcome that the last look finds', async () => {
      becomes('Pending')
      await aWatch({ minDelayMs: 2 * HOUR, maxDelayMs: 2 * HOUR }).add(1001, { deadline: clock.now() + HOUR })
      await settle()
      becomes('Completed')
      await clock.advance(HOUR)
      expect(outcomes.map(({ outcome }) => outcome)).to.deep.equal(['completed'])
    })

    it('ends also when the service cannot be reached', async () => {
      tasks.set(1001, new UnreachableError('readTask', 'ECONNREFUSED', false))
      await aWatch().add(1001, { deadline: clock.now() + HOUR })
      await clock.advance(HOUR + 90_000)
      expect(outcomes.map(({ outcome, task }) => [outcome, task])).to.deep.equal([['timed-out', undefined]])
    })
  })

  describe('when the service fails', () => {
    for (const failure of [
      new UnreachableError('readTask', 'ETIMEDOUT', true),
      new UnexpectedResponseError('readTask', 200, ['the body is not the expected JSON']),
      new RefusedError('readTask', 429, ['too many requests'], 5),
      new UnauthorizedError('readTask', 401, ['the key was revoked']),
      new UnauthorizedError('readTask', 403, ['the key was revoked']),
    ])
      it(`goes on waiting after ${failure.name} ${'status' in failure ? failure.status : ''}, and says so once`, async () => {
        const watch = aWatch()
        for (let id = 1; id <= 100; id++) {
          tasks.set(id, failure)
          await watch.add(id)
        }
        await clock.advance(2 * HOUR)
        expect(errors, 'one report of one outage').to.have.length(1)
        expect(reads.length, 'few ask while all would fail').to.be.below(2500)
        expect(watch.size).to.equal(100)
        for (let id = 1; id <= 100; id++) becomes('Completed', id)
        await clock.advance(120_000)
        expect(outcomes).to.have.length(100)
      })

    it('ends a wait for a task that the service does not know, and only that', async () => {
      const watch = aWatch()
      becomes('Pending', 1)
      await watch.add(1)
      await watch.add(404)
      await clock.advance(60_000)
      expect(outcomes.map(({ taskId, outcome }) => [taskId, outcome])).to.deep.equal([[404, 'unknown']])
      expect(errors.map(([, taskId]) => taskId)).to.deep.equal([404])
      expect(watch.size).to.equal(1)
    })

    it('gives a task time to appear that was created a moment ago', async () => {
      const watch = aWatch()
      await watch.add(1001)
      await settle()
      becomes('Completed')
      await clock.advance(10_000)
      expect(outcomes.map(({ outcome }) => outcome)).to.deep.equal(['completed'])
    })
  })

  it('can be cancelled for one task or for all, for good', async () => {
    const watch = aWatch()
    for (const id of [1, 2, 3]) {
      becomes('Pending', id)
      await watch.add(id)
    }
    expect(await watch.cancel(2)).to.deep.equal([2])
    expect(await watch.cancel(2)).to.deep.equal([])
    expect(await watch.cancel()).to.deep.equal([1, 3])
    becomes('Completed', 1)
    await clock.advance(HOUR)
    expect([outcomes.length, watch.size, clock.timers]).to.deep.equal([0, 0, 0])
    expect(await aWatch().resume()).to.equal(0)
  })

  it('waits for ten thousand tasks with one timer and few reads at once', async function () {
    this.timeout(60_000)
    let atOnce = 0
    let most = 0
    let count = 0
    const watch = aWatch({
      random: Math.random,
      client: {
        readTask: async ({ params }) => {
          count++
          most = Math.max(most, ++atOnce)
          await Promise.resolve()
          atOnce--
          return aTask({ taskId: params.id, status: 'Pending' })
        },
      },
    })
    for (let id = 1; id <= 10_000; id++) await watch.add(id, { status: 'Pending' })
    await settle()
    await clock.advance(HOUR)
    expect(clock.timers).to.equal(1)
    expect(most).to.be.at.most(8)
    const cpu = process.cpuUsage()
    count = 0
    await clock.advance(600_000)
    expect(count, 'each is looked at about once in ten minutes').to.be.within(8000, 14_000)
    const { user, system } = process.cpuUsage(cpu)
    expect((user + system) / 1000 / 600, 'milliseconds of work per second of waiting').to.be.below(20)
    expect(await watch.cancel()).to.have.length(10_000)
  })
})
