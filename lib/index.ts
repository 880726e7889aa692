/** The door of the library: exports and nothing else. */
import './floor.ts'

export { type CallOptions, type Client, type ClientOptions, createClient } from './client/client.ts'
export {
  RateLimitedError,
  RefusedError,
  UnauthorizedError,
  UnexpectedResponseError,
  UnreachableError,
} from './client/errors.ts'
export type { RequestFacts, ResponseFacts } from './client/exchange/facts.ts'
export { fetchSigned, type SignedDocument } from './client/fetch-signed.ts'
export { ignoredFilters } from './client/list/page-facts.ts'
export { type DocumentTasks, type ListAllOptions, type Listing, listAll, tasksOfDocument } from './client/list-all.ts'
export { createLookUps, type LookUpOptions, type LookUps } from './client/lookup-cache.ts'
export { type CreateOnce, type CreateOnceOptions, createOnce } from './client/once/create-once.ts'
export type { Created } from './client/once/creating.ts'
export { type HeldCode, HeldError } from './client/once/held-error.ts'
export type { ChangedOnce } from './client/once/read-after-failure.ts'
export { recordOnce, type SavedOutcome } from './client/once/record-once.ts'
export { type RetractOptions, retractOnce } from './client/once/retract-once.ts'
export { limitClient } from './client/pace/limit-client.ts'
export { paceClient } from './client/pace/pace-client.ts'
export { createPacer, type PacedCall, type Pacer, type PacerOptions } from './client/pace/pacer.ts'
export type { Queue } from './client/pace/queue.ts'
export { serviceScope } from './client/service-scope.ts'
export { TaskStatusError } from './client/task-status-error.ts'
export type { Outcome, Progress, Repeat, WaitMeta } from './client/watch/outcome.ts'
export { createWatch, type WaitingTask, type WaitOptions, type Watch, type WatchOptions } from './client/watch/watch.ts'
export { type Clock, systemClock } from './clock.ts'
export { EVENT_TYPE, WEBHOOK_HEADERS } from './contract/callback.ts'
export type { CallOf, RequestOf, ResultOf } from './contract/calls.ts'
export * from './contract/catalog.ts'
export { describeIssues, ErrorBody } from './contract/error.ts'
export { StatusEvent } from './contract/event.ts'
export { withHints } from './contract/mistakes.ts'
export { openapi } from './contract/openapi/openapi.ts'
export { type Operation, type OperationName, operations } from './contract/operations.ts'
export { Address, Npi } from './contract/primitives.ts'
export * from './contract/subscription.ts'
export * from './contract/task/document.ts'
export * from './contract/task/patient.ts'
export * from './contract/task/performer.ts'
export * from './contract/task/task.ts'
export { wirePath } from './contract/wire-path.ts'
export { FhirAnswerError } from './fhir/fhir-answer-error.ts'
export { createFhirBase, type FhirBase, type Found, type Resource, type Written } from './fhir/fhir-base.ts'
export type { FhirSettingsInput } from './fhir/fhir-settings.ts'
export { type ToWrite, writeOnce } from './fhir/write-once.ts'
export { type Batch, type BatchGroup, takeApart } from './hl7/batch.ts'
export { createJournal, type Journal } from './journal/journal.ts'
export type { JournalStore } from './journal/journal-store.ts'
export { type KeyvJournalOptions, keyvJournal } from './journal/keyv-journal.ts'
export { openJournal } from './journal/open.ts'
export { FhirOrigin, type OriginReference } from './mapping/fhir-result/origin.ts'
export {
  type FhirResource,
  type FhirResult,
  type FhirResultGiven,
  type FhirResultHabits,
  resultToFhir,
} from './mapping/fhir-result/result-to-fhir.ts'
export { Hl7Origin } from './mapping/hl7-result/origin.ts'
export {
  type Hl7Parties,
  type Hl7Result,
  type Hl7ResultGiven,
  type Hl7ResultHabits,
  resultToHl7,
} from './mapping/hl7-result/result-to-hl7.ts'
export { type MappedAt, mapFhirAt, type ReadReference } from './mapping/map-fhir-at.ts'
export { type MapFile, type MapFileInput, readMapFile } from './mapping/map-file.ts'
export { type MappedHl7, mapHl7WithOrigin } from './mapping/map-hl7.ts'
export type { HeldMessage, Mapped, NewDocument, Origins, TakenBack } from './mapping/mapped.ts'
export type { Box } from './pdf/geometry.ts'
export type { PdfLimits } from './pdf/guard/limits.ts'
export type { Field, Placed } from './pdf/placement/placement.ts'
export { drawPreview, type PreviewOptions, previewFields } from './pdf/placement/preview.ts'
export type { ActiveContentPolicy, Treatment } from './pdf/prepare/active-content.ts'
export { type ReadSignatureOptions, readSignature, type SealedPerson, type Signature } from './pdf/read-signature.ts'
export { ReaderUnavailableError } from './pdf/text/reader-unavailable-error.ts'
export type { HostProfile, ProfileInput } from './profile/host-profile.ts'
export { tokensOf, webhookHeaders } from './profile/names.ts'
export { parseProfile, readProfile } from './profile/parse-profile.ts'
export { ProfileError } from './profile/profile-error.ts'
export { SettingsError } from './settings.ts'
export type { EventContext, EventSource, HandOverOutcome } from './webhook/hand-over.ts'
export { type HandlerOptions, type WebhookHandler, webhookHandler } from './webhook/handler.ts'
export { createOnceStore, type OnceStore, type OnceStoreOptions } from './webhook/once-store.ts'
export { createReceiver, type Receiver, type ReceiverOptions } from './webhook/receiver.ts'
export type { Reception } from './webhook/reception.ts'
export type { Round } from './webhook/reconcile.ts'
export { createReconciler, type Reconciler, type ReconcilerOptions } from './webhook/reconciler.ts'
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
