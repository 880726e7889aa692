/**
 * The interface as data: one row per endpoint. Routes, client methods, OpenAPI and editor forms all read this table, and
 * nothing about the interface is written a second time. spec: Endpoints
 */
import * as z from 'zod'
import { DocumentType, Provider, Template } from './catalog.ts'
import { docs } from './docs.ts'
import type { Endpoint } from './endpoint.ts'
import { ErrorBody } from './error.ts'
import { Npi, pathId, queryFlag, rule, text, upTo } from './primitives.ts'
import { CreateSubscription, Subscription, SubscriptionCreated, UpdateSubscription } from './subscription.ts'
import { MAX_REASON } from './task/status-reason.ts'
import { CreateTask, Task, TaskCreated, TaskStatus } from './task/task.ts'

export interface Operation extends Endpoint {
  group: 'Health' | 'Look-ups' | 'Tasks' | 'Webhook subscriptions'
  body?: z.ZodObject
  /** What each status answers with; null where there is no body. Statuses that every keyed call can have are in `commonResponses`. */
  responses: Record<number, z.ZodType | null>
}

const taskPath = z.object({
  id: pathId().register(docs, {
    title: 'Task id',
    description: 'The id of the task.',
    examples: [1001],
    type: 'integer',
  }),
})
const subscriptionPath = z.object({
  id: pathId().register(docs, {
    title: 'Id',
    description: 'The id of the subscription.',
    examples: [1],
    type: 'integer',
  }),
})
const flag = (title: string, description: string) =>
  queryFlag()
    .optional()
    .register(docs, { title, description, examples: [true], type: 'boolean' })

const PAGE_SIZES = 'a whole number from 1 to 500, given once'

/** A filter that may be repeated or hold several values divided by commas. */
const listed = (example: string) =>
  z
    .union([z.string(), z.array(z.string())])
    .transform((given) =>
      [given]
        .flat()
        // An id may itself hold a comma, so a value also stands for itself.
        .flatMap((value) => [value, ...value.split(',')])
        .filter((value) => value !== ''),
    )
    .optional()
    .register(docs, {
      title: 'Saved-document ids',
      description: 'Tasks with one of these saved-document ids; repeated, or divided by commas.',
      examples: [example],
      sensitive: true,
      type: 'string',
    })

const healthStatus = z
  .string()
  .optional()
  .register(docs, { title: 'Status', description: 'ok when the host is healthy.', examples: ['ok'] })

export const operations = {
  checkHealth: {
    method: 'get',
    path: '/health-check',
    group: 'Health',
    summary: 'Whether the host is healthy',
    public: true,
    responses: {
      200: z.object({ status: healthStatus }).register(docs, {
        id: 'Health',
        title: 'Health',
        description: 'The host is healthy.',
        examples: [{ status: 'ok' }],
      }),
      503: ErrorBody,
    },
  },
  listDocumentTypes: {
    method: 'get',
    path: '/api/v1/documenttypes',
    group: 'Look-ups',
    summary: 'List the document types',
    responses: { 200: z.array(DocumentType) },
  },
  listTemplates: {
    method: 'get',
    path: '/api/v1/signature/templates',
    group: 'Look-ups',
    summary: 'List the templates of the organization',
    responses: { 200: z.array(Template) },
  },
  findProvider: {
    method: 'get',
    path: '/api/v1/users/providers/:npi',
    group: 'Look-ups',
    summary: 'Confirm by NPI that a provider is an active signer',
    params: z.object({ npi: Npi }),
    responses: { 200: Provider, 400: ErrorBody, 404: ErrorBody },
  },
  createTask: {
    method: 'post',
    path: '/api/v1/signature/tasks',
    group: 'Tasks',
    summary: 'Create a signature task',
    body: CreateTask,
    responses: { 201: TaskCreated, 400: ErrorBody },
  },
  readTask: {
    method: 'get',
    path: '/api/v1/signature/tasks/:id',
    group: 'Tasks',
    summary: 'Read one task, with its signed PDF when asked',
    params: taskPath,
    query: z.strictObject({
      includeOutputAttachment: flag('Include the signed PDF', 'True returns the signed PDF in output.attachment.'),
    }),
    responses: { 200: Task, 400: ErrorBody, 404: ErrorBody },
  },
  listTasks: {
    method: 'get',
    path: '/api/v1/signature/tasks',
    group: 'Tasks',
    summary: 'List tasks, newest first, without documents',
    query: z.strictObject({
      externalSavedDocumentIds: listed('SAVED-000123'),
      externalDocId: text()
        .optional()
        .register(docs, {
          title: 'External document id',
          description: 'Tasks whose document the sender gave this id.',
          examples: ['EHR|DOC-000123'],
          sensitive: true,
        }),
      isArchived: flag('Archived', 'Only archived tasks, or only others.'),
      isFiled: flag('Filed', 'Only filed tasks, or only others.'),
      status: TaskStatus.optional().register(docs, {
        title: 'Status',
        description: 'Only tasks in this status.',
        examples: ['Pending'],
      }),
      limit: z
        .string(rule(PAGE_SIZES))
        .regex(/^\d{1,3}$/, PAGE_SIZES)
        .transform(Number)
        .pipe(z.int().min(1, PAGE_SIZES).max(500, PAGE_SIZES))
        .optional()
        .register(docs, {
          title: 'Limit',
          description: 'Tasks per page, 1 to 500; 100 when left out.',
          examples: [100],
          type: 'integer',
        }),
      before: pathId()
        .optional()
        .register(docs, {
          title: 'Before',
          description: 'Only tasks older than this task id: the next page.',
          examples: [1001],
          type: 'integer',
        }),
    }),
    responses: { 200: z.array(Task), 400: ErrorBody },
  },
  updateTask: {
    method: 'patch',
    path: '/api/v1/signature/tasks/:id',
    group: 'Tasks',
    summary: 'Record where the outcome was saved; archive or file it',
    params: taskPath,
    query: z.strictObject({
      externalSavedDocumentId: text().register(docs, {
        title: 'External saved-document id',
        description: "The sender's id of the stored document, unique for this sender.",
        examples: ['SAVED-000123'],
        sensitive: true,
      }),
      archived: flag('Archived', 'True archives the inbox request, which cannot be undone.'),
      saved: flag('Saved', 'True marks the request as filed, which cannot be undone.'),
    }),
    responses: { 204: null, 400: ErrorBody },
  },
  retractTask: {
    method: 'delete',
    path: '/api/v1/signature/tasks/:id',
    group: 'Tasks',
    summary: 'Withdraw a task that waits in the inbox',
    params: taskPath,
    query: z.strictObject({
      reason: upTo(MAX_REASON)
        .optional()
        .register(docs, {
          title: 'Reason',
          description: `Stored as the status reason; up to ${MAX_REASON} characters.`,
          examples: ['Corrected document follows'],
          sensitive: true,
        }),
    }),
    responses: { 204: null, 400: ErrorBody },
  },
  createSubscription: {
    method: 'post',
    path: '/api/v1/signature/webhooks',
    group: 'Webhook subscriptions',
    summary: 'Subscribe to status changes',
    body: CreateSubscription,
    responses: { 201: SubscriptionCreated, 400: ErrorBody },
  },
  listSubscriptions: {
    method: 'get',
    path: '/api/v1/signature/webhooks',
    group: 'Webhook subscriptions',
    summary: 'List the subscriptions, without secrets',
    responses: { 200: z.array(Subscription) },
  },
  updateSubscription: {
    method: 'patch',
    path: '/api/v1/signature/webhooks/:id',
    group: 'Webhook subscriptions',
    summary: 'Deactivate, reactivate or redirect a subscription',
    params: subscriptionPath,
    body: UpdateSubscription,
    // The specification leaves the success status unsaid: the service answers 200, the client takes either.
    responses: { 200: Subscription, 204: null, 400: ErrorBody },
  },
  deleteSubscription: {
    method: 'delete',
    path: '/api/v1/signature/webhooks/:id',
    group: 'Webhook subscriptions',
    summary: 'End a subscription',
    params: subscriptionPath,
    responses: { 204: null, 400: ErrorBody },
  },
} as const satisfies Record<string, Operation>

/**
 * What any call with a key can answer besides: 400 because a parameter that the operation does not have is refused.
 * spec: Authentication, Errors. choice: Rate limit
 */
export const commonResponses = {
  400: ErrorBody,
  401: ErrorBody,
  403: ErrorBody,
  429: ErrorBody,
  500: ErrorBody,
} as const

/** What a call with a body can answer besides. choice: Room for bodies */
export const bodyResponses = { 408: ErrorBody, 413: ErrorBody, 415: ErrorBody, 503: ErrorBody } as const

export type Operations = typeof operations
export type OperationName = keyof Operations
