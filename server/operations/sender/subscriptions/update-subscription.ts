import { isGiven } from '../../../../lib/contract/primitives.ts'
import { receiverUrlProblem } from '../../../domain/delivery/receiver-url.ts'
import { Refusal } from '../../../domain/refusal.ts'
import type { SenderRun } from '../sender-context.ts'

export { examine } from './examine-receiver.ts'

/** Deactivates, reactivates or redirects a subscription. spec: Endpoints › Webhook subscriptions */
export const run: SenderRun<'updateSubscription'> = async (context, { params, body }) => {
  const active = body.active ?? undefined
  const url = body.url ?? undefined
  const problem = url === undefined ? null : receiverUrlProblem(url, context.targets)
  if (problem) throw new Refusal('invalid', problem)
  const updated = await context.store.subscriptions.update(params.id, { active, url }, context.at)
  if (!updated) throw new Refusal('notFound', `There is no subscription ${params.id} for this key.`)
  return updated
}

/** The name that a subscription is listed with: alongside a new `url`, it would be ignored, and the subscription stay active. */
export const unnoticed = (body: unknown): string[] => {
  const { active, isActive } = body as Record<string, unknown>
  return isGiven(isActive) && !isGiven(active) ? ['active: true or false'] : []
}
