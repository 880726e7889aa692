/** A watch with ten thousand waits. */
import { expect } from 'chai'
import { settle } from '../../support/fake-clock.ts'
import { aTaskRecord } from '../support/bodies.ts'
import { HOUR, watching } from './watching.ts'

describe('a watch with very many tasks', () => {
  const { clock, aWatch } = watching()

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
