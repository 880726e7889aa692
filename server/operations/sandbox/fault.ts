/** What can be made to go wrong on a sandbox: a fault of requests, or one of callbacks. */
import * as z from 'zod'
import { type Operation, type OperationName, operations } from '../../../lib/contract/operations.ts'
import { optional, rule } from '../../../lib/contract/primitives.ts'
import { TaskStatus } from '../../../lib/contract/task/task.ts'

/** Names of the operations that need a key: a fault hits the requests of one sender. */
const names = Object.entries<Operation>(operations).flatMap(([name, row]) => (row.public ? [] : [name]))
const oneOf = (values: readonly string[]) => rule(`one of ${values.join(', ')}`)
const whole = (first: number, last: number) => {
  const right = `a whole number from ${first} to ${last}`
  return z.int(rule(right)).min(first, right).max(last, right)
}

const howOften = {
  /** How many times it happens; when left out, until it is removed. */
  times: optional(whole(1, 100_000)),
  /** The share of fitting requests or callbacks that it hits, from 0 to 1; all of them when left out. */
  share: optional(z.number(rule('a number from 0 to 1')).min(0, 'a number from 0 to 1').max(1, 'a number from 0 to 1')),
}
/** How long a `delay` lasts. */
const delaySeconds = optional(whole(1, 10))

const requestFaults = ['refuse', 'delay', 'reset', 'lose-answer', 'cut-answer'] as const
/** `refuse` answers with `status`; `lose-answer` does what was asked and closes the connection instead of answering. */
export const RequestFault = z.strictObject({
  on: z.literal('request'),
  operation: optional(z.enum(names as [OperationName, ...OperationName[]], oneOf(names))),
  fault: z.enum(requestFaults, oneOf(requestFaults)),
  status: optional(whole(400, 599)),
  retryAfterSeconds: optional(whole(0, 86_400)),
  delaySeconds,
  ...howOften,
})
export type RequestFault = z.output<typeof RequestFault>

const callbackFaults = ['duplicate', 'delay', 'wrong-signature', 'old-timestamp', 'changed-body'] as const
/** A delayed callback is overtaken by those that come after it. */
export const CallbackFault = z.strictObject({
  on: z.literal('callback'),
  /** The status that the event tells; any when left out. */
  status: optional(z.enum(TaskStatus.options, oneOf(TaskStatus.options))),
  fault: z.enum(callbackFaults, oneOf(callbackFaults)),
  delaySeconds,
  ...howOften,
})
export type CallbackFault = z.output<typeof CallbackFault>

export const Fault = z.discriminatedUnion('on', [RequestFault, CallbackFault], oneOf(['request', 'callback']))
/** What is to go wrong, with requests or with callbacks. */
export type Fault = z.output<typeof Fault>
