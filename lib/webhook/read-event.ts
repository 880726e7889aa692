/**
 * Reads the event of a callback by what a receiver needs of it, not by what our own service sends: hosts have ids of their own
 * kind, and leave out what they do not know.
 */
import * as z from 'zod'
import { EVENT_TYPE, type StatusEvent } from '../contract/event.ts'
import { anyId, anyText, rule, timestamp } from '../contract/primitives.ts'
import { TaskStatus } from '../contract/task/task.ts'

const EVENT_ID = 'text of 1 to 200 characters'

export const ReceivedEvent: z.ZodType<StatusEvent> = z.object({
  eventId: z.string(rule(EVENT_ID)).regex(/\S/, EVENT_ID).max(200, EVENT_ID),
  eventType: z.literal(EVENT_TYPE, rule(EVENT_TYPE)),
  taskId: anyId(),
  documentId: anyId().nullish().catch(null),
  status: TaskStatus,
  statusReason: anyText(),
  occurredAtUtc: timestamp(),
})
