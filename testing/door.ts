/** The door of the testing tools: exports and nothing else. */
import '../lib/floor.ts'

export type { Client } from '../lib/client/client.ts'
export type { StatusEvent } from '../lib/contract/event.ts'
export type { CreateTask, TaskStatus } from '../lib/contract/task/task.ts'
export type { ProfileInput } from '../lib/profile/host-profile.ts'
export type { CallbackFault, Fault, RequestFault } from '../server/operations/sandbox/fault.ts'
export type { ReviewedPatients } from '../server/operations/sandbox/reviewed-patients.ts'
export type { ClockReading, FieldValues } from './control-plane.ts'
export type { EventFilter, SandboxReceiver } from './receiver.ts'
export { sampleTask } from './sample-task.ts'
export { type SignedWebhook, signedWebhook, TEST_SECRET, type WebhookOptions } from './signed-webhook.ts'
export { type SandboxOptions, startSandbox, type TestSandbox } from './start-sandbox.ts'
