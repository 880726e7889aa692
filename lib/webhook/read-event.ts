/**
 * Reads the event of a callback by what a receiver needs of it, not by what our own service sends: hosts have ids of their own
 * kind, and omit what they do not know. Without zod, so that verifying a callback stays small in a bundle.
 */
import { EVENT_TYPE } from '../contract/callback.ts'
import type { StatusEvent } from '../contract/event.ts'
import { ANY_HOST_ID, isObject, type Rule, wrongBy } from '../contract/rule.ts'
import { statusRule } from '../contract/task/task-status.ts'
import { utcTimeRule } from '../contract/utc-time.ts'

/** An event, or what is wrong with it, by path and without values. */
export type ReadEvent = { event: StatusEvent } | { issues: readonly string[] }

export function readEvent(body: unknown): ReadEvent {
  if (!isObject(body)) return { issues: ['body: an object'] }
  const issues = Object.entries<Rule<unknown>>(NEEDED).flatMap(([name, rule]) => wrongBy(rule, body[name], name) ?? [])
  if (issues.length > 0) return { issues }
  const { eventId, eventType, taskId, status, occurredAtUtc } = body as Needed
  const documentId = orNull(isId, body.documentId)
  const statusReason = orNull(isText, body.statusReason)
  return {
    event: {
      eventId,
      eventType,
      taskId,
      ...(documentId !== undefined && { documentId }),
      status,
      ...(statusReason !== undefined && { statusReason }),
      occurredAtUtc,
    },
  }
}

type Needed = Required<Omit<StatusEvent, 'documentId' | 'statusReason'>>

const isText = (value: unknown): value is string => typeof value === 'string'
const isId = (value: unknown): value is number => Number.isSafeInteger(value)

const NEEDED: { [K in keyof Needed]: Rule<Needed[K]> } = {
  eventId: {
    fits: (value): value is string => isText(value) && /\S/.test(value) && value.length <= 200,
    right: 'text of 1 to 200 characters',
  },
  eventType: { fits: (value): value is typeof EVENT_TYPE => value === EVENT_TYPE, right: EVENT_TYPE },
  taskId: { fits: isId, right: ANY_HOST_ID },
  status: statusRule,
  occurredAtUtc: utcTimeRule,
}

/** Nothing depends on these values, so that one of another kind does no harm. */
const orNull = <T>(fits: (value: unknown) => value is T, value: unknown): T | null | undefined =>
  value === undefined || fits(value) ? value : null
