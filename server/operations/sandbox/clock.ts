/** Reads the clock of a sandbox, and puts it forward. All organizations of the service share it. */
import * as z from 'zod'
import { ErrorBody } from '../../../lib/contract/error.ts'
import { rule } from '../../../lib/contract/primitives.ts'
import { Refusal } from '../../domain/refusal.ts'
import { asOf } from '../delivery.ts'
import { Due, Reading } from './messages.ts'
import { sandboxRow, type Time } from './sandbox-context.ts'

/** Longer than the longest period of the service, the 90 days for which the log of attempts is kept. */
const MOST_SECONDS = 100 * 24 * 60 * 60

/** Seals outlive it: their certificates are valid for ten years. All organizations of the sandbox share the clock. */
const MOST_AHEAD_MS = 5 * 365 * 24 * 60 * 60 * 1000

const advance = `a whole number from 1 to ${MOST_SECONDS}`
const AdvanceBody = z.strictObject(
  { advanceSeconds: z.int(rule(advance)).min(1, advance).max(MOST_SECONDS, advance) },
  rule('an object with advanceSeconds'),
)

/** How many of the deliveries that wait are listed. */
const MOST_DUE = 20

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
  responses: { 202: Reading, 409: ErrorBody },
  async run({ store, time, by, at, organizationId }, { body: { advanceSeconds } }) {
    const ahead = time.aheadMs + Math.max(0, (time.target ?? 0) - time.now())
    if (ahead + advanceSeconds * 1000 > MOST_AHEAD_MS)
      throw new Refusal(
        'conflict',
        'The clock may be at most five years ahead. Start a sandbox with an empty data folder.',
      )
    await store.audit.append({ action: 'sandbox.advance', by, at, organizationId })
    await time.advance(advanceSeconds * 1000)
    return readingOf(time)
  },
})

export const stopClock = sandboxRow({
  ...about,
  method: 'delete',
  summary: 'Stop the clock on its way: it runs on from where it is now',
  responses: { 200: Reading },
  async run({ store, time, by, at, organizationId }) {
    await store.audit.append({ action: 'sandbox.advance', by, at, organizationId, subject: 'stopped' })
    time.stop()
    return readingOf(time)
  },
})

export const listDue = sandboxRow({
  ...about,
  path: '/sandbox/v1/clock/due',
  method: 'get',
  summary: 'List what is due on the way when the clock is put forward',
  passive: true,
  responses: { 200: Due },
  async run({ store, time, organizationId, at }) {
    const nextAt = await time.nextDue()
    const waiting = await store.deliveries.list({ organizationId, states: ['waiting'] }, MOST_DUE)
    return {
      nextAt: nextAt === null ? null : new Date(nextAt).toISOString(),
      webhooks: waiting
        .map((delivery) => asOf(delivery, at))
        .flatMap(({ taskId, status, attempts, nextAttemptAt }) =>
          nextAttemptAt === null ? [] : [{ taskId, status, attempts, at: nextAttemptAt }],
        )
        .sort((a, b) => a.at.localeCompare(b.at)),
    }
  },
})

const readingOf = (time: Time): Reading => ({
  now: new Date(time.now()).toISOString(),
  aheadSeconds: Math.round(time.aheadMs / 1000),
  target: new Date(time.target ?? time.now()).toISOString(),
  reached: time.target === null,
})
