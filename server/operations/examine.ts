/** What is wrong with a body beyond its shape, for the operations that have such rules, so that all errors come in one answer. */
import type { OperationName } from '../../lib/contract/operations.ts'
import { receiverUrlProblem } from '../domain/receiver-url.ts'
import { examine as examineCreate } from './create-task.ts'
import type { OperationContext } from './operation.ts'
import { property } from './property.ts'

/** `body` is as it was sent: its shape may be wrong. */
export async function examine(name: OperationName, context: OperationContext, body: unknown): Promise<string[]> {
  if (name === 'createTask') return examineCreate(context, body)
  const url = property(body, 'url')
  if ((name !== 'createSubscription' && name !== 'updateSubscription') || typeof url !== 'string') return []
  const problem = receiverUrlProblem(url, context.targets)
  return problem ? [problem] : []
}
