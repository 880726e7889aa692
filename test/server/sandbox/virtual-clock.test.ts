import { expect } from 'chai'
import { createVirtualClock } from '../../../server/sandbox/virtual-clock.ts'
import { FakeClock } from '../../support/fake-clock.ts'

describe('a virtual clock', () => {
  const base = new FakeClock('2026-03-02T09:00:00.000Z')
  const start = base.now()
  const HOUR = 3_600_000

  it('runs with the clock below it, as far ahead as it was made', () => {
    const clock = createVirtualClock(base, HOUR)
    expect(clock.now()).to.equal(base.now() + HOUR)
    base.advance(5000)
    expect(clock.now()).to.equal(base.now() + HOUR)
    expect(clock.aheadMs).to.equal(HOUR)
  })

  it('calls what became due in a jump, in its order, and the rest at its time', () => {
    const clock = createVirtualClock(base)
    const called: string[] = []
    const at = (name: string, ms: number) => clock.after(ms, () => called.push(name))
    at('third', 3 * HOUR)
    at('first', HOUR)
    at('second', 2 * HOUR)
    const cancel = at('never', HOUR)
    cancel()
    clock.jumpTo(clock.now() + 2 * HOUR)
    expect(called).to.deep.equal(['first', 'second'])
    base.advance(HOUR - 1)
    expect(called).to.have.length(2)
    base.advance(1)
    expect(called).to.deep.equal(['first', 'second', 'third'])
  })

  it('does not call what a callback took back', () => {
    const clock = createVirtualClock(base)
    const called: string[] = []
    let cancelSecond = () => {}
    clock.after(1000, () => {
      called.push('first')
      cancelSecond()
    })
    cancelSecond = clock.after(2000, () => called.push('second'))
    clock.jumpTo(clock.now() + HOUR)
    base.advance(HOUR)
    expect(called).to.deep.equal(['first'])
  })

  it('never goes back', () => {
    const clock = createVirtualClock(base)
    const now = clock.now()
    clock.jumpTo(now - HOUR)
    expect([clock.now(), clock.aheadMs]).to.deep.equal([now, 0])
    expect(now).to.be.above(start)
  })

  it('ends a sleep by a jump or by its signal', async () => {
    const clock = createVirtualClock(base)
    const woken = clock.sleep(HOUR)
    clock.jumpTo(clock.now() + HOUR)
    await woken
    const cut = new AbortController()
    const slept = clock.sleep(HOUR, cut.signal).catch((failure: unknown) => failure)
    cut.abort(new Error('enough'))
    expect(await slept).to.have.property('message', 'enough')
    expect(await clock.sleep(1, cut.signal).catch((failure: unknown) => failure)).to.have.property('message', 'enough')
  })
})
