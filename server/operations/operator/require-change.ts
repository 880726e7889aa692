/** Refuses a change that changes nothing, and names what it could change. */
import type * as z from 'zod'
import { Refusal } from '../../domain/refusal.ts'

/** @param schema that of the body of the change */
export function requireChange(change: object, schema: z.ZodObject): void {
  if (Object.values(change).some((value) => value !== undefined)) return
  throw new Refusal('invalid', `body: at least one of ${Object.keys(schema.shape).join(', ')}`)
}
