/** What observers are told of a request: nothing of its parameters, its body or its answer's. */

export interface RequestFacts {
  /** The client's method, for example `readTask`; on a sandbox, what was asked of it, for example `sign`. */
  readonly operation: string
  /** The HTTP method, in upper case. */
  readonly method: string
  /** With names in place of values: `/api/v1/signature/tasks/:id`. */
  readonly path: string
  /** 1 for the first request of a call; more when it is repeated. */
  readonly attemptNumber: number
}

/** How a request ended. */
export interface Ending {
  /** Null when no answer came. */
  readonly status: number | null
  /** Why no answer came, for example ETIMEDOUT; ABORTED when the caller ended it. Null when one came. */
  readonly code: string | null
  /** What the host calls the request, in `X-Request-Id`; null when it does not say. */
  readonly requestId: string | null
}

export interface ResponseFacts extends RequestFacts, Ending {
  /** From the start of the request until it ended, in milliseconds. */
  readonly durationMs: number
}
