/** The clock of a sandbox: what time it is there, and to put it forward. One clock for all organizations of the service. */
import * as z from 'zod'
import { type Clock, timeOf } from '../../lib/clock.ts'
import { rule } from '../../lib/contract/primitives.ts'
import { parse } from '../http/parse.ts'
import type { Store } from '../store/store.ts'
import type { SandboxApi } from './sandbox-api.ts'
import type { TimeTravel } from './time-travel.ts'

/** Longer than anything of the service takes: retries three days, their memory seven, the log of attempts ninety. */
const MOST_SECONDS = 100 * 24 * 60 * 60

const advance = `a whole number from 1 to ${MOST_SECONDS}`
const AdvanceBody = z.strictObject(
  { advanceSeconds: z.int(rule(advance)).min(1, advance).max(MOST_SECONDS, advance) },
  rule('an object with advanceSeconds'),
)

export function clockRoutes(
  { serve }: SandboxApi,
  { store, time, clock }: { store: Pick<Store, 'audit'>; time: TimeTravel; clock: Clock },
): void {
  const reading = () => ({ now: timeOf(clock).toISOString(), aheadSeconds: Math.round(time.aheadMs / 1000) })
  serve('get', '/clock', reading)
  serve('post', '/clock', async ({ organizationId, by, body }) => {
    const { advanceSeconds } = parse(AdvanceBody, body)
    await store.audit.note({ action: 'sandbox.advance', by, at: timeOf(clock), organizationId })
    await time.advance(advanceSeconds * 1000)
    return reading()
  })
}
