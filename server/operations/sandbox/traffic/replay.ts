/** Sends a request of the sender, or a webhook to its receiver, once more, and says what came of it. */
import * as z from 'zod'
import { ErrorBody } from '../../../../lib/contract/error.ts'
import { optional, rule } from '../../../../lib/contract/primitives.ts'
import { told } from '../../../../lib/profile/values.ts'
import { Refusal } from '../../../domain/refusal.ts'
import { Replay } from '../messages.ts'
import { type SandboxContext, sandboxRow } from '../sandbox-context.ts'
import type { Exchange } from './exchange.ts'
import type { OriginalRequest } from './originals.ts'

const ReplayBody = optional(
  z.strictObject(
    {
      lookFirst: told(
        optional(z.boolean(rule('true or false'))),
        'Look first',
        'Whether a create is sent only when no task has its externalDocId, as a good sender does, because the interface has no idempotency key. Optional; true by default.',
        true,
      ),
    },
    rule('an object'),
  ),
)

export const replayRequest = sandboxRow({
  method: 'post',
  path: '/sandbox/v1/requests/:id/replay',
  group: 'Traffic',
  summary: 'Send a request again, or a webhook to its receiver, and say what came of it',
  who: ['sender'],
  params: z.object({ id: z.coerce.number(rule('a whole number')).int().min(1).max(Number.MAX_SAFE_INTEGER) }),
  body: ReplayBody,
  responses: { 200: Replay, 404: ErrorBody, 409: ErrorBody },
  async run(context, { params: { id }, body }): Promise<Replay> {
    const { traffic, organizationId, subscriptions } = context
    const exchange = traffic.list(organizationId).find((one) => one.id === id)
    if (!exchange) throw new Refusal('notFound', 'There is no such request or webhook. It may have been forgotten.')
    if (exchange.direction === 'caught')
      throw new Refusal('conflict', 'A catcher received this one. Replay the webhook that was sent to it.')
    const original = traffic.originals.find(id)
    if (!original) throw new Refusal('conflict', 'Its bytes are not kept any more. Send it from its sender.')
    if (original.is === 'request') return requestAgain(context, exchange, original, body?.lookFirst ?? true)
    // A receiver that was removed gets nothing more.
    if (!(await subscriptions.list()).some(({ url }) => url === exchange.url))
      throw new Refusal('conflict', 'No subscription sends to this receiver any more.')
    const sent = await original.send(id)
    return { exchange: sent, outcome: sent ? ofWebhook(sent) : 'The host name of the receiver was not resolved.' }
  },
})

async function requestAgain(
  { traffic, organizationId, orders }: SandboxContext,
  exchange: Exchange,
  original: OriginalRequest,
  lookFirst: boolean,
): Promise<Replay> {
  const { id: replayOf, method, url, operation } = exchange
  // A request that was refused before it was read is known by its bytes alone.
  const externalDocId = exchange.externalDocId ?? documentIn(original.body)
  if (operation === 'createTask' && lookFirst && externalDocId !== null) {
    const found = await orders.find(externalDocId)
    const [taskId] = found
    if (taskId !== undefined)
      return { exchange: null, outcome: `Not sent: task ${taskId} has externalDocId ${externalDocId} already.` }
  }
  const last = traffic.list(organizationId).at(-1)?.id ?? 0
  const recorded = () => traffic.list(organizationId).find((one) => one.replayOf === replayOf && one.id > last)
  const { status } = await orders.sendAgain({ method, url, replayOf, ...original })
  // It is recorded when its connection is done with it, which may be after its answer has arrived here.
  await traffic.until(organizationId, () => recorded() !== undefined, RECORDED_WITHIN_MS)
  const sent = recorded() ?? null
  return { exchange: sent, outcome: sent ? ofRequest(exchange, sent) : answered(status) }
}

const RECORDED_WITHIN_MS = 5_000

function documentIn(body: Buffer): string | null {
  try {
    const sent = JSON.parse(body.toString()) as { document?: { externalDocId?: unknown } } | null
    const id = sent?.document?.externalDocId
    return typeof id === 'string' ? id : null
  } catch {
    return null
  }
}

function ofRequest({ operation, taskId }: Exchange, sent: Exchange): string {
  if (operation !== 'createTask' || sent.status !== 201) return answered(sent.status)
  if (taskId === null || sent.taskId === null) return `${answered(sent.status)} Task ${sent.taskId} was made.`
  return `${answered(sent.status)} A second task was made: ${sent.taskId} after ${taskId}.`
}

const ofWebhook = ({ status, operation, taskId }: Exchange): string =>
  `${answered(status)} The receiver got ${operation} of task ${taskId} again, with the same id.`

const answered = (status: number | null): string => (status === null ? 'No answer came.' : `Answered ${status}.`)
