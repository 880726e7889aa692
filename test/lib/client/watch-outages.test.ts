/** A watch through outages. */
import { expect } from 'chai'
import {
  RefusedError,
  UnauthorizedError,
  UnexpectedResponseError,
  UnreachableError,
} from '../../../lib/client/errors.ts'
import { settle } from '../../support/fake-clock.ts'
import { HOUR, watching } from './watching.ts'

describe('a watch on a service that fails', () => {
  const { clock, tasks, outcomes, errors, reads, aWatch, becomes } = watching()

  for (const failure of [
    new UnreachableError('readTask', 'ETIMEDOUT', true),
    new UnexpectedResponseError('readTask', 200, ['the body is not the expected JSON']),
    new RefusedError('readTask', 429, ['too many requests'], 5),
    new UnauthorizedError('readTask', 401, ['the key was revoked']),
    new UnauthorizedError('readTask', 403, ['the key was revoked']),
  ])
    it(`continues to wait after ${failure.name} ${'status' in failure ? failure.status : ''}, and says so once`, async () => {
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
})
