/** Says what is wrong with the receiver of a subscription whose body has a wrong shape as well. */
import { receiverUrlProblem } from '../../../domain/delivery/receiver-url.ts'
import { property } from '../../property.ts'
import type { SenderContext } from '../sender-context.ts'

export async function examine({ targets }: SenderContext, body: unknown): Promise<string[]> {
  const url = property(body, 'url')
  const problem = typeof url === 'string' ? receiverUrlProblem(url, targets) : null
  return problem ? [problem] : []
}
