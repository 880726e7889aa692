/** Every schema of the interface, found by walking the table of operations and the event, with the place where it stands. */
import * as z from 'zod'
import { StatusEvent } from '../../../lib/contract/event.ts'
import { commonResponses, type Operation, operations } from '../../../lib/contract/operations.ts'

export interface Placed {
  /** For people: `createTask.body.patient.names[].family`. */
  at: string
  schema: z.ZodType
  /** True for the field of an object: it must be documented, whether it has a name of its own or not. */
  isField: boolean
}

export function allSchemas(): Placed[] {
  const found: Placed[] = []
  const rows = Object.entries({ ...operations }) as [string, Operation][]
  for (const [name, { params, query, body, responses }] of rows) {
    for (const [part, schema] of Object.entries({ params, query, body }))
      if (schema) walk(schema, `${name}.${part}`, part === 'body', found)
    for (const [status, schema] of Object.entries({ ...responses, ...commonResponses }))
      if (schema) walk(schema, `${name}.${status}`, false, found)
  }
  walk(StatusEvent, 'event', true, found)
  return found
}

function walk(schema: z.ZodType, at: string, isField: boolean, found: Placed[]): void {
  found.push({ at, schema, isField })
  const inner = bare(schema)
  if (inner instanceof z.ZodObject)
    for (const [name, field] of Object.entries(inner.shape)) walk(field as z.ZodType, `${at}.${name}`, true, found)
  if (inner instanceof z.ZodArray) walk(inner.element as z.ZodType, `${at}[]`, false, found)
  if (inner instanceof z.ZodUnion) for (const option of inner.options) walk(option as z.ZodType, at, false, found)
}

/** Without the wrappers that say "may be absent". */
export function bare(schema: z.ZodType): z.ZodType {
  return schema instanceof z.ZodOptional || schema instanceof z.ZodNullable
    ? bare(schema.unwrap() as z.ZodType)
    : schema
}
