/** The door of the library: exports and nothing else. */
export { type CallOptions, type Client, type ClientOptions, createClient } from './client/client.ts'
export { RefusedError, UnauthorizedError, UnexpectedResponseError, UnreachableError } from './client/errors.ts'
export { fetchSigned, type SignedDocument } from './client/fetch-signed.ts'
export { limitClient } from './client/limit-client.ts'
export { type ListAllOptions, listAll, tasksOfDocument } from './client/list-all.ts'
export { createLookUps, type LookUpOptions, type LookUps } from './client/lookup-cache.ts'
export { type Created, type CreateOnce, type CreateOnceOptions, createOnce } from './client/once/create-once.ts'
export { type HeldCode, HeldError } from './client/once/held-error.ts'
export { recordOnce, type SavedOutcome } from './client/once/record-once.ts'
export { type RetractOptions, retractOnce } from './client/once/retract-once.ts'
export { serviceScope } from './client/service-scope.ts'
export { TaskStatusError } from './client/task-status-error.ts'
export {
  createWatch,
  type Outcome,
  type Progress,
  type WaitMeta,
  type WaitOptions,
  type Watch,
  type WatchOptions,
} from './client/watch/watch.ts'
export { type Clock, systemClock } from './clock.ts'
export type { CallOf, RequestOf, ResultOf } from './contract/calls.ts'
export * from './contract/catalog.ts'
export { describeIssues, ErrorBody, wirePath } from './contract/error.ts'
export { EVENT_TYPE, StatusEvent, WEBHOOK_HEADERS } from './contract/event.ts'
export { withHints } from './contract/mistakes.ts'
export { openapi } from './contract/openapi/openapi.ts'
export { type Operation, type OperationName, operations } from './contract/operations.ts'
export { Address, Npi } from './contract/primitives.ts'
export * from './contract/subscription.ts'
export * from './contract/task/document.ts'
export * from './contract/task/patient.ts'
export * from './contract/task/performer.ts'
export * from './contract/task/task.ts'
export { createJournal, type Journal } from './journal/journal.ts'
export type { JournalStore } from './journal/journal-store.ts'
export { type KeyvJournalOptions, keyvJournal } from './journal/keyv-journal.ts'
export { openJournal } from './journal/open.ts'
export type { Box } from './pdf/geometry.ts'
export type { Field } from './pdf/placement/placement.ts'
export { drawPreview, type PreviewOptions, previewFields } from './pdf/placement/preview.ts'
export type { ActiveContentPolicy, Treatment } from './pdf/prepare/active-content.ts'
export type { EventContext, EventSource, HandOverOutcome } from './webhook/hand-over.ts'
export { type HandlerOptions, type WebhookHandler, webhookHandler } from './webhook/handler.ts'
export { createOnceStore, type OnceStore, type OnceStoreOptions } from './webhook/once-store.ts'
export { createReceiver, type Receiver, type ReceiverOptions, type Reception } from './webhook/receiver.ts'
export { createReconciler, type Reconciler, type ReconcilerOptions, type Round } from './webhook/reconciler.ts'
export {
  type SecretEncoding,
  type Signing,
  signingKey,
  signWebhook,
  type Verification,
  verifyWebhook,
  type WebhookHeaders,
} from './webhook/signature.ts'
export type { Change, TaskMemory } from './webhook/task-memory.ts'
export { type VerificationCode, WebhookVerificationError } from './webhook/verification-error.ts'
