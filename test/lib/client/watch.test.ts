/** Waiting for outcomes: looks, callbacks, deadlines, restarts. */
import { expect } from 'chai'
import { UnreachableError } from '../../../lib/client/errors.ts'
import type { Task } from '../../../lib/contract/task/task.ts'
import { settle } from '../../support/fake-clock.ts'
import { aTaskRecord } from '../support/bodies.ts'
import { HOUR, watching } from './watching.ts'

describe('waiting for an outcome', () => {
  const { clock, tasks, outcomes, progress, errors, reads, aWatch, becomes } = watching()

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
    await clock.pass(60_000)
    expect(reads.length).to.be.within(6, 9)
    await clock.pass(24 * HOUR)
    expect(reads.length).to.be.within(140, 170)
  })

  it('reports each change of the status on the way', async () => {
    const watch = aWatch()
    becomes('Received')
    await watch.add(1001)
    await clock.pass(10_000)
    becomes('Processing')
    await clock.pass(10_000)
    becomes('Pending')
    await clock.pass(60_000)
    expect(progress.map(({ previous, status }) => [previous, status])).to.deep.equal([
      ['Received', 'Processing'],
      ['Processing', 'Pending'],
    ])
  })

  it('is woken by a callback', async () => {
    const watch = aWatch()
    becomes('Pending')
    await watch.add(1001)
    await clock.pass(HOUR)
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
    answers[0]?.(aTaskRecord({ status: 'Pending' }))
    await settle()
    expect(answers).to.have.length(2)
    answers[1]?.(aTaskRecord({ status: 'Completed' }))
    await settle()
    expect(outcomes).to.have.length(1)
  })

  it('reports an outcome once, and then costs nothing', async () => {
    const watch = aWatch()
    becomes('Completed')
    await watch.add(1001)
    await clock.pass(24 * HOUR)
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
    await clock.pass(1000)
    expect(errors).to.have.length(1)
    isBroken = false
    await clock.pass(10_000)
    expect(outcomes).to.have.length(1)
  })

  describe('across a restart', () => {
    it('takes up the waits with their meta, and reports each once', async () => {
      const first = aWatch()
      for (const id of [1, 2, 3]) {
        becomes('Pending', id)
        await first.add(id, { meta: { order: `${id}` }, deadline: clock.now() + 48 * HOUR })
      }
      becomes('Completed', 2)
      await clock.pass(HOUR)
      await first.close()
      becomes('Rejected', 3)

      const second = aWatch()
      expect(await second.resume()).to.equal(2)
      await settle()
      expect(outcomes.map(({ taskId, outcome, meta }) => [taskId, outcome, meta])).to.deep.equal([
        [2, 'completed', { order: '2' }],
        [3, 'rejected', { order: '3' }],
      ])
      await clock.pass(48 * HOUR)
      expect(outcomes.at(-1)).to.include({ taskId: 1, outcome: 'timed-out' })
    })

    it('does not report a status again that was reported before', async () => {
      const first = aWatch()
      becomes('Pending')
      await first.add(1001)
      await settle()
      await first.close()
      await aWatch().resume()
      await clock.pass(HOUR)
      expect(progress).to.have.length(1)
    })

    it('keeps the deadline of a wait whose status has changed', async () => {
      const first = aWatch()
      becomes('Received')
      await first.add(1001, { deadline: clock.now() + HOUR, meta: { order: 'A' } })
      becomes('Pending')
      await clock.pass(60_000)
      await first.close()
      await aWatch().resume()
      await clock.pass(HOUR)
      expect(outcomes.map(({ outcome, status, meta }) => [outcome, status, meta])).to.deep.equal([
        ['timed-out', 'Pending', { order: 'A' }],
      ])
    })

    it('takes up the latest wait for a task, also when it began during a look of the one before', async () => {
      const answers: ((task: Task) => void)[] = []
      const client = { readTask: () => new Promise<Task>((resolve) => answers.push(resolve)) }
      const first = aWatch({ client })
      await first.add(1001, { meta: { order: 'old' } })
      const replaced = first.add(1001, { meta: { order: 'new' } })
      answers[0]?.(aTaskRecord({ status: 'Pending' }))
      await replaced
      await settle()
      answers.at(-1)?.(aTaskRecord({ status: 'Pending' }))
      await settle()
      const closed = first.close()
      for (const answer of answers) answer(aTaskRecord({ status: 'Pending' }))
      await closed
      becomes('Completed')
      await aWatch().resume()
      await settle()
      expect(outcomes.map(({ meta }) => meta)).to.deep.equal([{ order: 'new' }])
    })

    it('says nothing more after it was closed, and leaves no timer', async () => {
      const watch = aWatch()
      becomes('Pending')
      await watch.add(1001, { deadline: clock.now() + 1000 })
      await settle()
      await watch.close()
      await clock.pass(HOUR)
      expect([outcomes.length, clock.timers]).to.deep.equal([0, 0])
      expect(await watch.add(2).catch((failure: Error) => failure.name)).to.equal('AbortError')
    })
  })

  describe('with a deadline', () => {
    it('ends as timed-out after one last look', async () => {
      becomes('Pending')
      await aWatch().add(1001, { deadline: clock.now() + HOUR })
      await clock.pass(HOUR - 1)
      expect(outcomes).to.deep.equal([])
      await clock.pass(1)
      expect(outcomes[0]).to.include({ outcome: 'timed-out', status: 'Pending' })
      expect(outcomes[0]?.task, 'as the last look has read it').to.include({ taskId: 1001, status: 'Pending' })
    })

    it('prefers the outcome that the last look finds', async () => {
      becomes('Pending')
      await aWatch({ minDelayMs: 2 * HOUR, maxDelayMs: 2 * HOUR }).add(1001, { deadline: clock.now() + HOUR })
      await settle()
      becomes('Completed')
      await clock.pass(HOUR)
      expect(outcomes.map(({ outcome }) => outcome)).to.deep.equal(['completed'])
    })

    it('ends also when the service cannot be reached', async () => {
      tasks.set(1001, new UnreachableError('readTask', 'ECONNREFUSED', false))
      await aWatch().add(1001, { deadline: clock.now() + HOUR })
      await clock.pass(HOUR + 90_000)
      expect(outcomes.map(({ outcome, task }) => [outcome, task])).to.deep.equal([['timed-out', undefined]])
    })
  })

  it('can be cancelled for one task or for all, for good', async () => {
    const watch = aWatch()
    for (const id of [1, 2, 3]) {
      becomes('Pending', id)
      await watch.add(id)
    }
    expect(watch.tasks().map(({ taskId }) => taskId)).to.deep.equal([1, 2, 3])
    expect(await watch.cancel(2)).to.deep.equal([2])
    expect(await watch.cancel(2)).to.deep.equal([])
    await settle()
    expect(watch.tasks()).to.deep.equal([
      { taskId: 1, status: 'Pending' },
      { taskId: 3, status: 'Pending' },
    ])
    expect(await watch.cancel()).to.deep.equal([1, 3])
    expect(watch.tasks()).to.deep.equal([])
    await settle()
    expect(clock.timers, 'nothing is due any more').to.equal(0)
    becomes('Completed', 1)
    await clock.pass(HOUR)
    expect([outcomes.length, watch.size, clock.timers]).to.deep.equal([0, 0, 0])
    expect(await aWatch().resume()).to.equal(0)
  })
})
