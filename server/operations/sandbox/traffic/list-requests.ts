/** Lists what a sender sent and what its receivers got, and can wait for it, so that tests in any language can assert on it. */
import * as z from 'zod'
import { optional, rule } from '../../../../lib/contract/primitives.ts'
import { told } from '../../../../lib/profile/values.ts'
import { sandboxRow } from '../sandbox-context.ts'
import { directions, Exchange } from './exchange.ts'

const MOST_SECONDS = 20
const MOST_LISTED = 500

/** A whole number as it is in a query. */
const number = (first: number, last: number) => {
  const right = `a whole number from ${first} to ${last}, given once`
  return z
    .string(rule(right))
    .regex(/^\d{1,10}$/, right)
    .transform(Number)
    .pipe(z.int().min(first, right).max(last, right))
}
const word = () => z.string(rule('a text, given once')).max(255, 'at most 255 characters')
const ANY_ID = 2_147_483_647

const Query = z.strictObject({
  direction: told(
    optional(z.enum(directions, rule(`one of ${directions.join(', ')}`))),
    'Direction',
    'Only requests of the sender, only webhooks, or only what a catcher received.',
    'request',
  ),
  operation: told(optional(word()), 'Operation', 'Of requests: its name. Of webhooks: the status.', 'createTask'),
  taskId: told(optional(number(1, ANY_ID)), 'Task', 'Only what is about this task.', 1001),
  externalDocId: told(optional(word()), 'Document id', 'Only what names this id of the sender.', 'EHR|DOC-1'),
  status: told(
    optional(number(0, 599)),
    'Status',
    'Only what was answered with this HTTP status; 0 for what got no answer.',
    201,
  ),
  fault: told(optional(word()), 'Fault', 'Only what this fault hit.', 'lose-answer'),
  after: told(optional(number(0, Number.MAX_SAFE_INTEGER)), 'After', 'Only what has a greater id than this.', 0),
  count: told(
    optional(number(1, MOST_LISTED)),
    'Count',
    'How many to wait for; the call answers as soon as there are as many. Optional; 1 by default.',
    2,
  ),
  waitSeconds: told(
    optional(number(0, MOST_SECONDS)),
    'Wait',
    `How long to wait for them, up to ${MOST_SECONDS} seconds of real time. Optional; by default the call answers at once.`,
    10,
  ),
})

export const listRequests = sandboxRow({
  method: 'get',
  path: '/sandbox/v1/requests',
  group: 'Traffic',
  summary: 'List the requests and webhooks of your organization, or wait for them',
  who: ['sender'],
  passive: true,
  query: Query,
  responses: {
    200: z.object({
      /** How many fit. */
      count: z.int(),
      /** Whether there are as many as were waited for. */
      reached: z.boolean(),
      /** Oldest first. */
      requests: z.array(Exchange),
    }),
  },
  async run({ traffic, organizationId }, { query }) {
    const { count = 1, waitSeconds = 0, after, status, ...equal } = query
    const wanted = Object.entries(equal).filter(([, value]) => value !== undefined && value !== null)
    const fitting = () =>
      traffic
        .list(organizationId)
        .filter((exchange) => exchange.id > (after ?? 0))
        .filter((exchange) => status === undefined || status === null || (exchange.status ?? 0) === status)
        .filter((exchange) => wanted.every(([name, value]) => exchange[name as keyof typeof equal] === value))
    const least = count ?? 1
    await traffic.until(organizationId, () => fitting().length >= least, (waitSeconds ?? 0) * 1000)
    const requests = fitting()
    return { count: requests.length, reached: requests.length >= least, requests }
  },
})

export const clearRequests = sandboxRow({
  method: 'delete',
  path: '/sandbox/v1/requests',
  group: 'Traffic',
  summary: 'Forget the requests and webhooks that were seen',
  who: ['sender'],
  responses: { 204: null },
  run: async ({ traffic, organizationId }) => traffic.clear(organizationId),
})
