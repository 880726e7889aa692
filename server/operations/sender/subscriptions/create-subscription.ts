import { receiverUrlProblem } from '../../../domain/delivery/receiver-url.ts'
import { Refusal } from '../../../domain/refusal.ts'
import type { SenderRun } from '../sender-context.ts'

export { examine } from './examine-receiver.ts'

/** Subscribes to status changes. The secret is shown here and never again. spec: Endpoints › Webhook subscriptions */
export const run: SenderRun<'createSubscription'> = async (context, { body }) => {
  const problem = receiverUrlProblem(body.url, context.targets)
  if (problem) throw new Refusal('invalid', problem)
  const secret = context.newSecret()
  const description = body.description ?? null
  const id = await context.store.subscriptions.create(body.url, description, secret, context.at)
  return { id, url: body.url, secret: Buffer.from(secret).toString('base64'), description }
}
