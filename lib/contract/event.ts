/** The body of a callback. spec: Events › Delivery body */
import * as z from 'zod'
import { EVENT_TYPE } from './callback.ts'
import { docs } from './docs.ts'
import { id, timestamp } from './primitives.ts'
import { TaskStatus } from './task/task.ts'

export const StatusEvent = z
  .object({
    eventId: z.guid().register(docs, {
      title: 'Event id',
      description: 'Unique per event and the same on every attempt: de-duplicate on it.',
      examples: ['6f1c2d1e-3f52-4c2a-9c33-0d6a4c0c7f11'],
    }),
    eventType: z.literal(EVENT_TYPE).register(docs, {
      title: 'Event type',
      description: `Always ${EVENT_TYPE} in this release.`,
      examples: [EVENT_TYPE],
    }),
    taskId: id().register(docs, {
      title: 'Task id',
      description: 'The same id as on create and read.',
      examples: [1001],
    }),
    documentId: id()
      .nullish()
      .register(docs, {
        title: 'Document id',
        description: 'The inbox request id when known.',
        examples: [7001],
      }),
    status: TaskStatus,
    statusReason: z
      .string()
      .nullish()
      .register(docs, {
        title: 'Status reason',
        description: 'Optional reason, for example on Failed.',
        examples: [null],
        sensitive: true,
      }),
    occurredAtUtc: timestamp().register(docs, {
      title: 'Occurred at',
      description: 'When the change occurred, UTC, ISO 8601.',
      examples: ['2026-01-15T09:31:00.000Z'],
    }),
  })
  .register(docs, {
    id: 'StatusEvent',
    title: 'Status event',
    description: 'A task changed its status. It never carries the signed PDF.',
    examples: [
      {
        eventId: '6f1c2d1e-3f52-4c2a-9c33-0d6a4c0c7f11',
        eventType: EVENT_TYPE,
        taskId: 1001,
        documentId: 7001,
        status: 'Completed',
        statusReason: null,
        occurredAtUtc: '2026-01-15T09:31:00.000Z',
      },
    ],
  })
export type StatusEvent = z.infer<typeof StatusEvent>
