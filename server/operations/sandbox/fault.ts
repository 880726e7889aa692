/** The faults that a sandbox can inject: into requests, or into callbacks. */
import * as z from 'zod'
import { type Operation, type OperationName, operations } from '../../../lib/contract/operations.ts'
import { optional, rule } from '../../../lib/contract/primitives.ts'
import { TaskStatus } from '../../../lib/contract/task/task.ts'
import { told } from '../../../lib/profile/values.ts'

/** Names of the operations that need a key: a fault hits the requests of one sender. */
const names = Object.entries<Operation>(operations).flatMap(([name, row]) => (row.public ? [] : [name]))
const oneOf = (values: readonly string[]) => rule(`one of ${values.join(', ')}`)
const whole = (first: number, last: number) => {
  const right = `a whole number from ${first} to ${last}`
  return z.int(rule(right)).min(first, right).max(last, right)
}

const howOften = {
  /** How many times it happens; when omitted, until it is removed. */
  times: optional(whole(1, 100_000)),
  /** The share of fitting requests or callbacks that it hits, from 0 to 1. Optional; all of them by default. */
  share: optional(z.number(rule('a number from 0 to 1')).min(0, 'a number from 0 to 1').max(1, 'a number from 0 to 1')),
}
const howLong = {
  /** How long a `delay` lasts. */
  delaySeconds: optional(whole(1, 10)),
}

const requestFaults = ['refuse', 'delay', 'reset', 'lose-answer', 'cut-answer'] as const
/** `refuse` answers with `status`; `lose-answer` does what was asked and closes the connection instead of answering. */
export const RequestFault = z.strictObject({
  on: told(z.literal('request'), 'On', 'Requests of the sender.', 'request'),
  operation: told(
    optional(z.enum(names as [OperationName, ...OperationName[]], oneOf(names))),
    'Operation',
    'The operation that it hits. Optional; any by default.',
    'createTask',
  ),
  fault: told(z.enum(requestFaults, oneOf(requestFaults)), 'Fault', 'What goes wrong with the request.', 'lose-answer'),
  status: told(optional(whole(400, 599)), 'Status', 'The HTTP status of `refuse`. Optional; 503 by default.', 503),
  /** Sent as `Retry-After` with a refusal. Optional; not sent by default. */
  retryAfterSeconds: optional(whole(0, 86_400)),
  ...howLong,
  ...howOften,
})
export type RequestFault = z.output<typeof RequestFault>

const callbackFaults = ['duplicate', 'delay', 'wrong-signature', 'old-timestamp', 'changed-body'] as const
/** A delayed callback is overtaken by those that come after it. */
export const CallbackFault = z.strictObject({
  on: told(z.literal('callback'), 'On', 'Callbacks to the sender.', 'callback'),
  status: told(
    optional(z.enum(TaskStatus.options, oneOf(TaskStatus.options))),
    'Status',
    'The status in the event. Optional; any by default.',
    'Completed',
  ),
  fault: told(
    z.enum(callbackFaults, oneOf(callbackFaults)),
    'Fault',
    'What goes wrong with the callback.',
    'wrong-signature',
  ),
  ...howLong,
  ...howOften,
})
export type CallbackFault = z.output<typeof CallbackFault>

export const Fault = z.discriminatedUnion('on', [RequestFault, CallbackFault], oneOf(['request', 'callback']))
/** A fault of requests or of callbacks. */
export type Fault = z.output<typeof Fault>
