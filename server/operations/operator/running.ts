/** Acts that only a running service can do for an operator: sending as an organization would, and calling a receiver. */
import type { TestAnswer } from '../../domain/delivery/attempt.ts'
import { Refusal } from '../../domain/refusal.ts'
import type { SenderContext } from '../sender/sender-context.ts'
import type { OperatorContext } from './operator-context.ts'

export interface RunningService {
  /** Returns the context in which the organization sends; the operator is the one who acts. */
  asSender(organizationId: number): SenderContext
  testReceiver: TestReceiver
}

/** Sends a receiver a test event. Resolves with null where there is no such receiver, or it could not be called now. */
export type TestReceiver = (subscriptionId: number, at: Date) => Promise<TestAnswer | null>

/** Refuses with `conflict` on the command line, which has no service behind it. */
export function runningService({ running }: Pick<OperatorContext, 'running'>): RunningService {
  if (!running)
    throw new Refusal('conflict', 'Only a running service can do this. Use the console or the HTTP interface.')
  return running
}
