/** The task: what a sender creates, and what is read back. spec: Resources › Task */
import * as z from 'zod'
import { docs } from '../docs.ts'
import { absent, id, rule, timestamp } from '../primitives.ts'
import { TaskDocument } from './document.ts'
import { Patient } from './patient.ts'
import { Performer } from './performer.ts'
import { statusRule, taskStatuses } from './task-status.ts'

export { isFinal } from './task-status.ts'

export const TaskStatus = z.enum(taskStatuses, rule(statusRule.right)).register(docs, {
  id: 'TaskStatus',
  title: 'Status',
  description:
    'Received and Processing: ingestion. Pending: in the signer’s inbox. Completed, Rejected, Retracted, Failed, Cancelled: final.',
  examples: ['Pending'],
})
export type TaskStatus = z.infer<typeof TaskStatus>

const taskId = id().register(docs, { title: 'Task id', description: 'The id of the task.', examples: [1001] })

const statusReason = z
  .string()
  .nullable()
  .register(docs, {
    title: 'Status reason',
    description: 'Why the task is in this status, for example why it failed.',
    examples: [null, 'No active provider has this NPI'],
    sensitive: true,
  })

export const CreateTask = z
  .object(
    {
      patient: Patient,
      performers: z
        .array(Performer, rule('an array of exactly one performer'))
        .length(1, 'exactly one performer')
        .register(docs, {
          title: 'Performers',
          description: 'Exactly one: only one signer per task is supported.',
          examples: [[{ signer: { userNPI: '9999900019' } }]],
        }),
      document: TaskDocument,
    },
    absent,
  )
  .register(docs, {
    id: 'CreateTask',
    title: 'New task',
    description: 'A patient, one signer, and a PDF with the fields the signer completes.',
    examples: [
      {
        patient: docs.get(Patient)!.examples[0],
        performers: [docs.get(Performer)!.examples[0]],
        document: docs.get(TaskDocument)!.examples[0],
      },
    ],
  })
export type CreateTask = z.infer<typeof CreateTask>

export const TaskCreated = z.object({ taskId, status: TaskStatus, statusReason }).register(docs, {
  id: 'TaskCreated',
  title: 'Created task',
  description: 'A 201 says that the task was accepted, not that the document is already in the inbox.',
  examples: [{ taskId: 1001, status: 'Received', statusReason: null }],
})
export type TaskCreated = z.infer<typeof TaskCreated>

export const DocumentPreparation = z
  .object({
    kind: z.enum(['plain', 'drawn']).register(docs, {
      title: 'Kind',
      description: 'Plain: shown and sealed as its text and drawings. Drawn: its pages were converted to pictures.',
      examples: ['plain'],
    }),
    reason: z
      .string()
      .nullable()
      .register(docs, {
        title: 'Reason',
        description: 'Why the pages were converted, as one sentence; null for a plain document.',
        examples: [null],
        sensitive: true,
      }),
    receivedSha256: z.string().register(docs, {
      title: 'SHA-256 as received',
      description: 'The SHA-256 of the document as it was received, in hexadecimal.',
      examples: ['b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9'],
    }),
  })
  .register(docs, {
    id: 'DocumentPreparation',
    title: 'Preparation',
    description: 'How the document is shown to its signer, and sealed.',
    examples: [
      {
        kind: 'plain',
        reason: null,
        receivedSha256: 'b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9',
      },
    ],
  })
export type DocumentPreparation = z.infer<typeof DocumentPreparation>

export const TaskOutput = z
  .object({
    attachment: z
      .string()
      .nullish()
      .register(docs, {
        title: 'Attachment',
        description: 'The signed PDF as Base64: only of a Completed task, and only when it was asked for.',
        examples: ['JVBERi0xLjcKJ…'],
        sensitive: true,
      }),
    statusReason: statusReason.nullish().register(docs, {
      title: 'Status reason',
      description: 'The same reason as on the task.',
      examples: [null],
      sensitive: true,
    }),
    externalSavedDocumentId: z
      .string()
      .nullish()
      .register(docs, {
        title: 'External saved-document id',
        description: 'The id under which the sender stored the outcome.',
        examples: ['SAVED-000123'],
        sensitive: true,
      }),
    isArchived: z
      .boolean()
      .nullish()
      .register(docs, {
        title: 'Archived',
        description: 'Whether the sender archived the inbox request.',
        examples: [false],
      }),
    isFiled: z
      .boolean()
      .nullish()
      .register(docs, {
        title: 'Filed',
        description: 'Whether the sender marked the request as filed.',
        examples: [false],
      }),
    preparation: DocumentPreparation.nullish(),
  })
  .register(docs, {
    id: 'TaskOutput',
    title: 'Outcome',
    description: 'The signed document, and what the sender recorded of it.',
    examples: [{ statusReason: null, externalSavedDocumentId: null, isArchived: false, isFiled: false }],
  })

/** A host may omit what it does not know yet, so all but the id and the status may be absent. */
export const Task = z
  .object({
    taskId,
    status: TaskStatus,
    statusReason: statusReason.nullish().register(docs, {
      title: 'Status reason',
      description: 'Why the task is in this status.',
      examples: [null],
      sensitive: true,
    }),
    documentId: id()
      .nullish()
      .register(docs, {
        title: 'Document id',
        description: 'The id of the request in the signer’s inbox, once the task is Pending.',
        examples: [7001],
      }),
    externalDocId: z
      .string()
      .nullish()
      .register(docs, {
        title: 'External document id',
        description: 'The id that the sender gave the document.',
        examples: ['EHR|DOC-000123'],
        sensitive: true,
      }),
    output: TaskOutput.nullish().register(docs, {
      title: 'Outcome',
      description: 'The signed document, and what the sender recorded of it.',
      examples: [{ statusReason: null, externalSavedDocumentId: null, isArchived: false, isFiled: false }],
    }),
    createdAt: timestamp()
      .nullish()
      .register(docs, {
        title: 'Created',
        description: 'When the task was created, UTC.',
        examples: ['2026-01-15T09:30:00.000Z'],
      }),
    updatedAt: timestamp()
      .nullish()
      .register(docs, {
        title: 'Updated',
        description: 'When the task changed last, UTC.',
        examples: ['2026-01-15T09:31:00.000Z'],
      }),
  })
  .register(docs, {
    id: 'Task',
    title: 'Task',
    description: 'One document for one signer, as read back.',
    examples: [
      {
        taskId: 1001,
        status: 'Pending',
        statusReason: null,
        documentId: 7001,
        externalDocId: 'EHR|DOC-000123',
        output: { statusReason: null, externalSavedDocumentId: null, isArchived: false, isFiled: false },
        createdAt: '2026-01-15T09:30:00.000Z',
        updatedAt: '2026-01-15T09:30:02.000Z',
      },
    ],
  })
export type Task = z.infer<typeof Task>
