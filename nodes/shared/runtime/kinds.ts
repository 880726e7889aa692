/** Sorts failures by what a flow does about them. */

import { isTls } from '../../../lib/client/answers/no-answer.ts'
import {
  RateLimitedError,
  RefusedError,
  UnauthorizedError,
  UnexpectedResponseError,
  UnreachableError,
} from '../../../lib/client/errors.ts'
import { HeldError } from '../../../lib/client/once/held-error.ts'

export interface Kind {
  /**
   * `unreachable`: no answer of use came. `tls`: the certificate is not trusted, or TLS is not spoken. `refused`: the message or
   * the state of the task rules it out. `rateLimited`: too many calls. `unauthorized`: the key is refused. `held`: sending might
   * make a second task. `unexpected`: another program answered, or something broke. `config`: a setting is missing or wrong.
   */
  kind: 'unreachable' | 'tls' | 'refused' | 'rateLimited' | 'unauthorized' | 'held' | 'unexpected' | 'config'
  /** Whether sending the same message again, later, may succeed although no one has changed anything. */
  retryable: boolean
}

const final = (kind: Kind['kind']): Kind => ({ kind, retryable: false })
const passing = (kind: Kind['kind']): Kind => ({ kind, retryable: true })

/** The failures of the nodes themselves, by code; all others are about settings. */
const OF_NODES: Record<string, Kind> = {
  INVALID_INPUT: final('refused'),
  NOT_COMPLETED: final('refused'),
  NO_SIGNED_PDF: passing('refused'),
  ALREADY_SIGNED: final('refused'),
  NOT_PENDING: final('refused'),
  UNKNOWN_TASK: final('refused'),
  LIST_INCOMPLETE: final('refused'),
  SEVERAL_TASKS: final('refused'),
  TOO_SLOW: final('refused'),
  NOT_HELD: final('refused'),
  OTHER_SERVICE: final('refused'),
  OTHER_DOCUMENT: final('refused'),
  UNTRUSTED: final('tls'),
  STOPPED: passing('unreachable'),
  FOLDER_AWAY: passing('unreachable'),
  UNEXPECTED_RESPONSE: final('unexpected'),
  INTERNAL: final('unexpected'),
}

export function kindOf(error: Error & { code: string }): Kind {
  if (error instanceof UnreachableError) return isTls(error.code) ? final('tls') : passing('unreachable')
  if (error instanceof RateLimitedError) return passing('rateLimited')
  if (error instanceof UnauthorizedError) return final('unauthorized')
  if (error instanceof RefusedError) return error.status === 408 ? passing('refused') : final('refused')
  if (error instanceof UnexpectedResponseError) return final('unexpected')
  // Sent again, it is looked up first.
  if (error instanceof HeldError) return error.code === 'OUTCOME_UNKNOWN' ? passing('held') : final('held')
  return OF_NODES[error.code] ?? final('config')
}
