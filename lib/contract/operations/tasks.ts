/** The rows of tasks: create, read, list, update, retract. spec: Endpoints › Tasks */
import * as z from 'zod'
import { docs } from '../docs.ts'
import { ErrorBody } from '../error.ts'
import { pathId, queryFlag, rule, text, upTo } from '../primitives.ts'
import { MAX_REASON } from '../task/status-reason.ts'
import { CreateTask, Task, TaskCreated, TaskStatus } from '../task/task.ts'
import type { Operation } from './operation.ts'

const taskPath = z.object({
  id: pathId().register(docs, {
    title: 'Task id',
    description: 'The id of the task.',
    examples: [1001],
    type: 'integer',
  }),
})

const flag = (title: string, description: string) =>
  queryFlag()
    .optional()
    .register(docs, { title, description, examples: [true], type: 'boolean' })

const PAGE_SIZES = 'a whole number from 1 to 500, given once'

/** A filter that may be repeated, or hold several ids separated by commas. choice: Task filters */
const savedDocumentIds = z
  .union([z.string(), z.array(z.string())])
  .transform((given) =>
    [given]
      .flat()
      // An id may itself hold a comma, so a value also represents itself.
      .flatMap((value) => [value, ...value.split(',')])
      .filter((value) => value !== ''),
  )
  .optional()
  .register(docs, {
    title: 'Saved-document ids',
    description: 'Tasks with one of these saved-document ids; repeated, or separated by commas.',
    examples: ['SAVED-000123'],
    sensitive: true,
    type: 'string',
  })

export const taskOperations = {
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
      externalSavedDocumentIds: savedDocumentIds,
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
          description: 'Tasks per page, 1 to 500. Optional; 100 by default.',
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
} as const satisfies Record<string, Operation>
