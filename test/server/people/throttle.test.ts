/** How often something may be tried under each name, and that made-up names cannot fill the memory. */
import { expect } from 'chai'
import { createThrottle } from '../../../server/people/throttle.ts'
import { runningClock } from '../../support/fake-clock.ts'

const WINDOW_MS = 60_000
const NAMES = 20_000

describe('a throttle', () => {
  const clock = runningClock()
  const aThrottle = () => createThrottle({ clock, tries: 2, windowMs: WINDOW_MS })

  it('makes a name wait until its first try leaves the window, and no other name', () => {
    const throttle = aThrottle()
    expect([throttle.take('a'), throttle.take('a')]).to.deep.equal([0, 0])
    expect(throttle.take('a')).to.be.within(WINDOW_MS - 1_000, WINDOW_MS)
    expect(throttle.take('b')).to.equal(0)
    clock.advance(WINDOW_MS)
    expect(throttle.take('a')).to.equal(0)
  })

  it('takes back a try that succeeded, and forgets a name', () => {
    const throttle = aThrottle()
    for (let i = 0; i < 3; i++) {
      expect(throttle.take('a')).to.equal(0)
      throttle.giveBack('a')
    }
    throttle.take('a')
    throttle.take('a')
    throttle.forget('a')
    expect(throttle.take('a')).to.equal(0)
  })

  it('remembers a limited number of names, those used last', () => {
    const throttle = aThrottle()
    for (const name of ['early', 'early', 'used', 'used']) throttle.take(name)
    for (let i = 0; i < NAMES - 1; i++) {
      throttle.take(`made up ${i}`)
      if (i === NAMES / 2) expect(throttle.take('used')).to.be.greaterThan(0)
    }
    expect(throttle.take('used'), 'asked for meanwhile').to.be.greaterThan(0)
    expect(throttle.take('early')).to.equal(0)
  })
})
