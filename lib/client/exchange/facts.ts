/** The facts about a request that observers are given: nothing of its parameters, its body or the answer's. */

export interface RequestFacts {
  /** The client's method, for example `readTask`; on a sandbox, what was asked of it, for example `sign`. */
  readonly operation: string
  /** The HTTP method, in upper case. */
  readonly method: string
  /** The path with names in place of values: `/api/v1/signature/tasks/:id`. */
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
  /** The host's id of the request, from `X-Request-Id`; null when the host sent none. */
  readonly requestId: string | null
}

export interface ResponseFacts extends RequestFacts, Ending {
  /** Milliseconds from the start of the request until it ended. */
  readonly durationMs: number
}
