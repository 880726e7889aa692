/** The failures of nodes, and how a message carries one to Catch nodes. No failure holds a patient's data. */
import { stackFrames } from '../../../lib/stack-frames.ts'
import { type Kind, kindOf } from './kinds.ts'
import type { Message } from './node-red.ts'

/** A failure of the node itself, distinguished by its code. */
export class NodeError extends Error {
  override readonly name: string = 'NodeError'
  readonly code: string
  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

/** The message lacks something, or holds something wrong. Thrown before any call is made. */
export class InputError extends NodeError {
  override readonly name = 'InputError'
  readonly errors: readonly string[]
  constructor(errors: readonly string[]) {
    super('INVALID_INPUT', errors.join('; '))
    this.errors = errors
  }
}

/** The failure of calls that a closing node ends. */
export const stopped = () =>
  new NodeError('STOPPED', 'The request was canceled because the node stopped. Send the message again.')

/** Returns the failure as the error for Catch nodes, and sets `statusCode` and `errors` on the message. */
export function setFailure(message: Message, failure: unknown): FlowError {
  const error = knownFailure(failure)
  const { status, errors, issues } = error as Error & { status?: number; errors?: string[]; issues?: string[] }
  if (status === undefined) delete message.statusCode
  else message.statusCode = status
  message.errors = [...(errors ?? issues ?? [error.message])]
  return new FlowError(error)
}

/**
 * A failure as flows see it: its text without the name of a class. Of an error, Node-RED hands `code`, `cause` and `stack` to
 * Catch nodes and nothing else, so its kind is in the cause.
 */
export class FlowError extends Error {
  override readonly name = ''
  readonly code: string
  override readonly cause: Kind
  constructor(failure: Error & { code: string }) {
    super(failure.message)
    this.code = failure.code
    this.cause = kindOf(failure)
    this.stack = [failure.message, ...stackFrames(failure)].join('\n')
  }
}

/**
 * Returns the failure as an error with a code. An unexpected one becomes INTERNAL and keeps its stack frames only, because its text
 * may quote the data that caused it.
 */
export function knownFailure(failure: unknown): Error & { code: string } {
  if (failure instanceof Error && KNOWN.has(failure.name) && 'code' in failure)
    return failure as Error & { code: string }
  const kind = failure instanceof Error ? failure.name : typeof failure
  const error = new NodeError('INTERNAL', `The node failed in a way it does not expect (${kind}). Please report it.`)
  error.stack = [`${error.name}: ${error.message}`, ...stackFrames(failure)].join('\n')
  return error
}

const KNOWN = new Set([
  'NodeError',
  'InputError',
  'UnreachableError',
  'RefusedError',
  'RateLimitedError',
  'UnauthorizedError',
  'UnexpectedResponseError',
  'FhirAnswerError',
  'HeldError',
  'TaskStatusError',
  'SettingsError',
])
