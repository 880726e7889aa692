/** Steps of people with second factors, for tests of the service. */
import { expect } from 'chai'
import { systemClock } from '../../../lib/clock.ts'
import type { Enrolled } from '../../../server/http/callers/second-step.ts'
import type { ShownOffer } from '../../../server/people/second-factor/shown-offer.ts'
import type { Visit } from '../browser/a-visit.ts'
import { anAuthenticator, PERIOD_MS } from './an-authenticator.ts'

export const OWN = '/account/api/second-factor'

/** Stands still in the middle of a code's time, so that no code ends while a test runs; timers are real. */
export function stillClock() {
  let now = Math.floor(Date.now() / PERIOD_MS) * PERIOD_MS + PERIOD_MS / 2
  return {
    ...systemClock,
    now: () => now,
    advance: (ms: number) => {
      now += ms
    },
    /** Goes on to the next code. */
    nextCode: () => {
      now += PERIOD_MS
    },
  }
}
export type StillClock = ReturnType<typeof stillClock>

/** Sets up a second factor for the visitor, and leaves the clock at a code that was not used. */
export async function setUp(visit: Visit, password: string, clock: StillClock) {
  const offered = await visit.ask<ShownOffer>('POST', OWN, { current: password })
  expect(offered.status, offered.errors.join()).to.equal(200)
  const app = anAuthenticator(offered.body.secret)
  const enrolled = await visit.ask<Enrolled>('POST', `${OWN}/code`, { code: app.code(clock.now()) })
  expect(enrolled.status, enrolled.errors.join()).to.equal(200)
  clock.nextCode()
  return { app, recoveryCodes: enrolled.body.recoveryCodes }
}
