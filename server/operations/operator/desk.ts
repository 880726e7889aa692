/** The desk of an operator: what has to be done now, and reminding a signer of what waits. */
import * as z from 'zod'
import { ErrorBody } from '../../../lib/contract/error.ts'
import { Npi } from '../../../lib/contract/primitives.ts'
import { needsOf } from '../../domain/needs.ts'
import { Refusal } from '../../domain/refusal.ts'
import { SIGNER_SLOW_MS } from '../../domain/task/next-steps.ts'
import { Desk } from './messages/desk.ts'
import { isOperator, OPERATOR_ALONE, type OperatorContext, operatorRow, STAFF, within } from './operator-context.ts'
import { foundProvider } from './providers.ts'

export const readDesk = operatorRow({
  method: 'get',
  path: '/admin/v1/desk',
  group: 'Desk',
  summary: 'List what has to be done now, in sentences',
  who: STAFF,
  responses: { 200: Desk },
  async run(context) {
    const { store, scope, at } = context
    const overview = store.overview(scope)
    const times = { since: new Date(at.getTime() - DAY_MS), slowBefore: new Date(at.getTime() - SIGNER_SLOW_MS) }
    const { oldestReview, failed, undelivered, slow } = await overview.urgent(times)
    const { inReview } = await overview.counts()
    const names = await store.receivers.names(undelivered.map(({ subscriptionId }) => subscriptionId))
    const facts = {
      reviews: { count: inReview, oldest: oldestReview },
      paused: await pausedReceivers(context),
      undelivered: undelivered.map((one) => ({ ...one, name: names.get(one.subscriptionId) ?? 'A receiver' })),
      failed,
      slow: slow.map(({ hasNotices, ...signer }) => ({
        ...signer,
        mayRemind: hasNotices && context.offersNotices && isOperator(context),
      })),
    }
    return { needs: needsOf(facts, at) }
  },
})

const DAY_MS = 24 * 60 * 60 * 1000

async function pausedReceivers(context: OperatorContext) {
  const { store, at } = context
  const organizationId = within(context)
  const paused = (await store.receivers.spared(at, organizationId)).slice(0, MOST_PAUSED)
  const names = await store.receivers.names(paused.map(({ subscriptionId }) => subscriptionId))
  return Promise.all(
    paused.map(async ({ subscriptionId, isDown }) => {
      const [receiver] = await store.receivers.list(at, { organizationId, subscriptionId })
      return {
        subscriptionId,
        name: names.get(subscriptionId) ?? 'A receiver',
        isDown,
        waiting: receiver?.waiting ?? 0,
        oldest: receiver?.oldestWaiting ?? null,
      }
    }),
  )
}

const MOST_PAUSED = 20

export const remindProvider = operatorRow({
  method: 'post',
  path: '/admin/v1/providers/:npi/remind',
  group: 'Providers',
  summary: 'Send a signer an e-mail now that says how many documents wait',
  who: OPERATOR_ALONE,
  params: z.object({ npi: Npi }),
  responses: { 204: null, 404: ErrorBody, 409: ErrorBody },
  async run(context, { params: { npi } }) {
    const { store, by, at } = context
    const { signingName } = await foundProvider(context, npi)
    if (!context.offersNotices)
      throw new Refusal('conflict', 'This service sends no e-mails: its operator has set no mail server.')
    if (!(await store.notices.remind(npi, { by, at })))
      throw new Refusal(
        'conflict',
        `${signingName} gets no e-mails about waiting documents. Set an address under Providers first.`,
      )
  },
})
