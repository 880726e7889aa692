import { Refusal } from '../../../domain/refusal.ts'
import type { SenderRun } from '../sender-context.ts'

/** Ends a subscription; what is queued for it is no longer sent. */
export const run: SenderRun<'deleteSubscription'> = async ({ store, at }, { params }) => {
  const existed = await store.subscriptions.remove(params.id, at)
  if (!existed) throw new Refusal('notFound', `There is no subscription ${params.id} for this key.`)
  return undefined
}
