/** Reads the clock of a sandbox, and puts it forward. All organizations of the service share it. */
import * as z from 'zod'
import { rule } from '../../../lib/contract/primitives.ts'
import { sandboxRow, type Time } from './sandbox-context.ts'

/** Longer than the longest period of the service, the 90 days for which the log of attempts is kept. */
const MOST_SECONDS = 100 * 24 * 60 * 60

const advance = `a whole number from 1 to ${MOST_SECONDS}`
const AdvanceBody = z.strictObject(
  { advanceSeconds: z.int(rule(advance)).min(1, advance).max(MOST_SECONDS, advance) },
  rule('an object with advanceSeconds'),
)

const Reading = z.object({
  now: z.string(),
  aheadSeconds: z.int(),
  /** Where the clock is being put forward to; `now` once it is there. */
  target: z.string(),
  reached: z.boolean(),
})

const about = { path: '/sandbox/v1/clock', group: 'Clock', who: ['sender'] } as const

export const readClock = sandboxRow({
  ...about,
  method: 'get',
  summary: 'Read the clock',
  responses: { 200: Reading },
  run: async ({ time }) => readingOf(time),
})

export const advanceClock = sandboxRow({
  ...about,
  method: 'post',
  summary: 'Let time pass: answers when all that became due is done, or after 25 seconds, and continues to the target',
  body: AdvanceBody,
  responses: { 202: Reading },
  async run({ store, time, by, at, organizationId }, { body: { advanceSeconds } }) {
    await store.audit.append({ action: 'sandbox.advance', by, at, organizationId })
    await time.advance(advanceSeconds * 1000)
    return readingOf(time)
  },
})

const readingOf = (time: Time): z.infer<typeof Reading> => ({
  now: new Date(time.now()).toISOString(),
  aheadSeconds: Math.round(time.aheadMs / 1000),
  target: new Date(time.target ?? time.now()).toISOString(),
  reached: time.target === null,
})
