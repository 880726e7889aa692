/** The door of the library: exports and nothing else. */
export { type CallOptions, type Client, type ClientOptions, createClient } from './client/client.ts'
export { RefusedError, UnauthorizedError, UnexpectedResponseError, UnreachableError } from './client/errors.ts'
export * from './contract/catalog.ts'
export * from './contract/document.ts'
export { describeIssues, ErrorBody, wirePath } from './contract/error.ts'
export { EVENT_TYPE, StatusEvent, WEBHOOK_HEADERS } from './contract/event.ts'
export { openapi } from './contract/openapi.ts'
export {
  type CallOf,
  type Operation,
  type OperationName,
  operations,
  type RequestOf,
  type ResultOf,
} from './contract/operations.ts'
export * from './contract/patient.ts'
export * from './contract/performer.ts'
export { Address, Npi } from './contract/primitives.ts'
export * from './contract/subscription.ts'
export * from './contract/task.ts'
