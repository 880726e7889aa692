/** A row of the partner interface. Types only. */
import type * as z from 'zod'
import type { Endpoint } from '../endpoint.ts'

export interface Operation extends Endpoint {
  group: 'Health' | 'Look-ups' | 'Tasks' | 'Webhook subscriptions'
  body?: z.ZodObject
  /**
   * The body for each status; null where there is no body. Statuses that every keyed call can have are in `commonResponses` and
   * `bodyResponses`.
   */
  responses: Record<number, z.ZodType | null>
}
