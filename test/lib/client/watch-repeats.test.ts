/** Outcomes that are reported again until somebody has dealt with them. */
import { expect } from 'chai'
import type { Repeat } from '../../../lib/client/watch/outcome.ts'
import { settle } from '../../support/fake-clock.ts'
import { HOUR, watching } from './watching.ts'

const MINUTE = 60_000

describe('an outcome that nobody has acknowledged', () => {
  const { clock, journal, outcomes, errors, reads, aWatch, becomes, tasks } = watching()
  const acknowledged = new Set<number>()
  const repeat: Repeat = { isAcknowledged: async (taskId) => acknowledged.has(taskId), afterMs: 10 * MINUTE }
  const reports = () => outcomes.map(({ reportedBefore }) => reportedBefore)
  beforeEach(() => acknowledged.clear())

  it('is reported again after its time, past any deadline, until it is acknowledged', async () => {
    becomes('Completed')
    const watch = aWatch({ repeat })
    await watch.add(1001, { meta: { messageId: 'm' }, deadline: clock.now() + 5 * MINUTE })
    await clock.pass(25 * MINUTE)
    expect(reports()).to.deep.equal([0, 1, 2])
    for (const outcome of outcomes) expect(outcome).to.deep.include({ outcome: 'completed', meta: { messageId: 'm' } })
    expect([watch.size, watch.reported]).to.deep.equal([0, 1])
    await watch.acknowledge(1001)
    await clock.pass(HOUR)
    expect(reports()).to.deep.equal([0, 1, 2])
    expect([watch.size, watch.reported]).to.deep.equal([0, 0])
    expect(await journal.get('1001')).to.equal(undefined)
  })

  it('is reported again after a restart, at once, and only then when it has no time', async () => {
    becomes('Rejected')
    const { isAcknowledged } = repeat
    await aWatch({ repeat: { isAcknowledged } }).add(1001)
    await clock.pass(24 * HOUR)
    expect(reports()).to.deep.equal([0])
    const next = aWatch({ repeat: { isAcknowledged } })
    expect(await next.resume()).to.equal(1)
    await clock.pass(24 * HOUR)
    expect(reports()).to.deep.equal([0, 1])
  })

  it('is forgotten without a report when it was acknowledged meanwhile', async () => {
    becomes('Completed')
    await aWatch({ repeat }).add(1001)
    await settle()
    acknowledged.add(1001)
    const before = reads.length
    const next = aWatch({ repeat })
    await next.resume()
    await clock.pass(HOUR)
    expect(reports()).to.deep.equal([0])
    expect(reads).to.have.length(before)
    expect([next.size, next.reported]).to.deep.equal([0, 0])
    expect(await journal.get('1001')).to.equal(undefined)
  })

  it('may be acknowledged while it is being reported', async () => {
    becomes('Completed')
    const watch = aWatch({ repeat, onOutcome: ({ taskId }) => watch.acknowledge(taskId) })
    await watch.add(1001)
    await settle()
    expect([watch.size, watch.reported]).to.deep.equal([0, 0])
    expect(await journal.get('1001')).to.equal(undefined)
  })

  it('is not what a callback or another look waits for', async () => {
    becomes('Completed')
    const watch = aWatch({ repeat })
    await watch.add(1001)
    await settle()
    expect(watch.nudge(1001)).to.equal(false)
    await settle()
    expect(reports()).to.deep.equal([0])
    await watch.acknowledge(1002)
    expect([watch.reported, watch.size]).to.deep.equal([1, 0])
    expect(watch.tasks(), 'it has an outcome').to.deep.equal([])
    await watch.acknowledge(1001)
    expect([watch.reported, clock.timers]).to.deep.equal([0, 0])
  })

  it('is reported soon again when its report fails, or when the service cannot be reached at its time', async () => {
    becomes('Completed')
    let isBroken = true
    const onOutcome = (outcome: (typeof outcomes)[number]) => {
      if (isBroken) throw new Error('the flow is not there yet')
      outcomes.push(outcome)
    }
    const watch = aWatch({ repeat, onOutcome })
    await watch.add(1001)
    await clock.pass(MINUTE)
    expect(errors).to.not.deep.equal([])
    expect([watch.size, watch.reported], 'it waits, because no one has its outcome').to.deep.equal([1, 0])
    isBroken = false
    await clock.pass(5 * MINUTE)
    expect(reports()).to.deep.equal([0])
    tasks.set(1001, Object.assign(new Error('away')))
    await clock.pass(20 * MINUTE)
    becomes('Completed')
    await clock.pass(5 * MINUTE)
    expect(reports()).to.deep.equal([0, 1])
  })

  it('is one of the task: a time-out is reported once', async () => {
    becomes('Pending')
    await aWatch({ repeat }).add(1001, { deadline: clock.now() + MINUTE })
    await clock.pass(HOUR)
    expect(outcomes.map(({ outcome }) => outcome)).to.deep.equal(['timed-out'])
  })

  it('is reported once by a watch that does not repeat', async () => {
    becomes('Completed')
    await aWatch().add(1001)
    await clock.pass(24 * HOUR)
    expect(reports()).to.deep.equal([0])
  })
})
