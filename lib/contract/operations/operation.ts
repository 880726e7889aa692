/** What a row of the partner interface says. Types only. */
import type * as z from 'zod'
import type { Endpoint } from '../endpoint.ts'

export interface Operation extends Endpoint {
  group: 'Health' | 'Look-ups' | 'Tasks' | 'Webhook subscriptions'
  body?: z.ZodObject
  /** What each status answers with; null where there is no body. Statuses that every keyed call can have are in `commonResponses` and `bodyResponses`. */
  responses: Record<number, z.ZodType | null>
}
