/** Reads a value by its schema. Refuses with everything that is wrong. */
import * as z from 'zod'
import { describeIssues } from '../../lib/contract/error.ts'
import { Refusal } from '../domain/refusal.ts'

export function parse<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const allowed = schema instanceof z.ZodObject ? Object.keys(schema.shape) : undefined
  throw new Refusal('invalid', ...describeIssues(result.error, allowed))
}
