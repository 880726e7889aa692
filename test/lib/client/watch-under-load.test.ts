/** A watch through outages, and with ten thousand waits. */
import { expect } from 'chai'
import {
  RefusedError,
  UnauthorizedError,
  UnexpectedResponseError,
  UnreachableError,
} from '../../../lib/client/errors.ts'
import { settle } from '../../support/fake-clock.ts'
import { aTaskRecord } from '../support/bodies.ts'
import { HOUR, watching } from './watching.ts'

describe('a watch on a service that fails, or with very many tasks', () => {
  const { clock, tasks, outcomes, errors, reads, aWatch, becomes } = watching()

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
      await clock.pass(2 * HOUR)
      expect(errors, 'one report of one outage').to.have.length(1)
      expect(reads.length, 'few ask while all would fail').to.be.below(2500)
      expect(watch.size).to.equal(100)
      for (let id = 1; id <= 100; id++) becomes('Completed', id)
      await clock.pass(120_000)
      expect(outcomes).to.have.length(100)
    })

  it('ends a wait for a task that the service does not know, and only that', async () => {
    const watch = aWatch()
    becomes('Pending', 1)
    await watch.add(1)
    await watch.add(404)
    await clock.pass(60_000)
    expect(outcomes.map(({ taskId, outcome }) => [taskId, outcome])).to.deep.equal([[404, 'unknown']])
    expect(errors.map(([, taskId]) => taskId)).to.deep.equal([404])
    expect(watch.size).to.equal(1)
  })

  it('gives a task time to appear that was created a moment ago', async () => {
    const watch = aWatch()
    await watch.add(1001)
    await settle()
    becomes('Completed')
    await clock.pass(10_000)
    expect(outcomes.map(({ outcome }) => outcome)).to.deep.equal(['completed'])
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
          return aTaskRecord({ taskId: params.id, status: 'Pending' })
        },
      },
    })
    for (let id = 1; id <= 10_000; id++) await watch.add(id, { status: 'Pending' })
    await settle()
    await clock.pass(HOUR)
    expect(clock.timers).to.equal(1)
    expect(most).to.be.at.most(8)
    const cpu = process.cpuUsage()
    count = 0
    await clock.pass(600_000)
    expect(count, 'each is looked at about once in ten minutes').to.be.within(8000, 14_000)
    const { user, system } = process.cpuUsage(cpu)
    expect((user + system) / 1000 / 600, 'milliseconds of work per second of waiting').to.be.below(20)
    expect(await watch.cancel()).to.have.length(10_000)
  })
})
