/**
 * The interface as data: one row per endpoint. Routes, client methods, OpenAPI and editor forms all read this table, and
 * nothing about the interface is written a second time. spec: Endpoints
 */
import { ErrorBody } from './error.ts'
import { healthOperations } from './operations/health.ts'
import { lookUpOperations } from './operations/look-ups.ts'
import type { Operation } from './operations/operation.ts'
import { subscriptionOperations } from './operations/subscriptions.ts'
import { taskOperations } from './operations/tasks.ts'

export type { Operation } from './operations/operation.ts'

/** The interface as data, a row per operation. */
export const operations = {
  ...healthOperations,
  ...lookUpOperations,
  ...taskOperations,
  ...subscriptionOperations,
} as const satisfies Record<string, Operation>

/**
 * Answers that any call with a key can get in addition to its own responses; 400, because a parameter that the operation does
 * not have is refused. spec: Authentication, Errors. choice: Rate limit, Store away
 */
export const commonResponses = {
  400: ErrorBody,
  401: ErrorBody,
  403: ErrorBody,
  429: ErrorBody,
  500: ErrorBody,
  503: ErrorBody,
} as const

/** Answers that any call with a body can get. choice: Room for bodies */
export const bodyResponses = { 408: ErrorBody, 413: ErrorBody, 415: ErrorBody, 503: ErrorBody } as const

export type Operations = typeof operations
/** The name of an operation, which is that of its method in a client. */
export type OperationName = keyof Operations
