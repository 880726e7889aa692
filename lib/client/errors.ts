/**
 * Errors of a call, one class for each reaction of the caller. No error keeps the key, the request body, the URL or the HTTP
 * library's own error, because those hold patients' data and would be printed wherever the error is logged.
 */
import { adviceFor } from './answers/no-answer.ts'

/** No answer of use came: the host is down or failing, the connection broke, or time ran out. The caller tries again. */
export class UnreachableError extends Error {
  /** The name of the class, which tells it apart also where several copies of this package are loaded. */
  override readonly name = 'UnreachableError'
  /** The network's code, for example ECONNREFUSED or ETIMEDOUT, or the status of a failing host: HTTP_503. */
  readonly code: string
  /** The HTTP status of a failing host or proxy; undefined when no answer came. */
  readonly status: number | undefined
  /** False when the request cannot have reached the host, so that even a create may be repeated at once. */
  readonly mayHaveArrived: boolean
  /** Seconds to wait, when the host said so. */
  readonly retryAfterSeconds: number | null
  /** The host's id of the request, to be quoted to its operator; null when the host sent none. */
  readonly requestId: string | null
  constructor(
    operation: string,
    code: string,
    mayHaveArrived: boolean,
    retryAfterSeconds: number | null = null,
    requestId: string | null = null,
  ) {
    super(`${operation}: ${adviceFor(code)} (${code}).${quoted(requestId)}`)
    this.code = code
    this.status = code.startsWith('HTTP_') ? Number(code.slice('HTTP_'.length)) : undefined
    this.mayHaveArrived = mayHaveArrived
    this.retryAfterSeconds = retryAfterSeconds
    this.requestId = requestId
  }
}

/** The service understood and said no. The caller fixes the request. */
export class RefusedError extends Error {
  /** The name of the class, which tells it apart also where several copies of this package are loaded. */
  override readonly name: string = 'RefusedError'
  /** `REFUSED`, `UNAUTHORIZED` when the key is at fault, or `RATE_LIMITED`. */
  readonly code: string = 'REFUSED'
  /** The HTTP status of the answer. */
  readonly status: number
  /** The service's own sentences; never empty. */
  readonly errors: readonly string[]
  /** Seconds to wait, when the service said so (429). */
  readonly retryAfterSeconds: number | null
  /** The host's id of the request, to be quoted to its operator; null when the host sent none. */
  readonly requestId: string | null
  constructor(
    operation: string,
    status: number,
    errors: readonly string[],
    retryAfterSeconds: number | null = null,
    requestId: string | null = null,
  ) {
    super(`${operation}: refused with ${status}. ${errors.join('; ')}${quoted(requestId)}`)
    this.status = status
    this.errors = errors
    this.retryAfterSeconds = retryAfterSeconds
    this.requestId = requestId
  }
}

/** There were too many calls (429), and the service did not look at this one. The caller sends it again, later. */
export class RateLimitedError extends RefusedError {
  /** The name of the class, which tells it apart also where several copies of this package are loaded. */
  override readonly name = 'RateLimitedError'
  /** `RATE_LIMITED`. */
  override readonly code = 'RATE_LIMITED'
  constructor(
    operation: string,
    errors: readonly string[],
    retryAfterSeconds: number | null = null,
    requestId: string | null = null,
  ) {
    super(operation, 429, errors, retryAfterSeconds, requestId)
  }
}

/** The key is missing, unknown or revoked. The caller fixes the key. */
export class UnauthorizedError extends RefusedError {
  /** The name of the class, which tells it apart also where several copies of this package are loaded. */
  override readonly name = 'UnauthorizedError'
  /** `UNAUTHORIZED`. */
  override readonly code = 'UNAUTHORIZED'
}

/** The answer breaks the contract: another program answers there, or a newer service. The caller reports it. */
export class UnexpectedResponseError extends Error {
  /** The name of the class, which tells it apart also where several copies of this package are loaded. */
  override readonly name = 'UnexpectedResponseError'
  /** `UNEXPECTED_RESPONSE`. */
  readonly code = 'UNEXPECTED_RESPONSE'
  /** The HTTP status of the answer. */
  readonly status: number
  /** Each unexpected thing as a sentence, without values. */
  readonly issues: readonly string[]
  /** The host's id of the request, to be quoted to its operator; null when the host sent none. */
  readonly requestId: string | null
  constructor(operation: string, status: number, issues: readonly string[], requestId: string | null = null) {
    super(
      `${operation}: this is not a signature host, or it does not keep to the interface: status ${status}, ${issues.join('; ')}. Check that the base URL points at the service.${quoted(requestId)}`,
    )
    this.status = status
    this.issues = issues
    this.requestId = requestId
  }
}

const quoted = (requestId: string | null) => (requestId === null ? '' : ` (request ${requestId})`)

/** Whether the read of a task was refused for this task alone: other tasks may well be read. */
export const isAboutOneTask = (failure: unknown): boolean =>
  failure instanceof RefusedError && !(failure instanceof UnauthorizedError) && failure.status !== 429
