/** The description of an endpoint: enough to document it, and to read a request and an answer. Types only. */
import type * as z from 'zod'

/** The body of an answer: JSON of a schema, nothing (null), a PDF, or a stream of server-sent events. */
export type Answer = z.ZodType | null | 'pdf' | 'csv' | 'stream'

export interface Endpoint {
  /** The HTTP method, in lower case. */
  method: 'get' | 'post' | 'patch' | 'delete'
  /** The path as Express writes it, with `:name` for each parameter. */
  path: `/${string}`
  /** The heading under which documentation lists the endpoint. */
  group: string
  /** Its effect, as a phrase without a period. */
  summary: string
  /** True for an endpoint that anyone may call. */
  public?: true
  /** The parameters in the path. */
  params?: z.ZodObject
  /** The parameters in the query. */
  query?: z.ZodObject
  /** JSON of a schema, or a PDF. */
  body?: z.ZodType | 'pdf'
  /** The body for each status. */
  responses: Readonly<Record<number, Answer>>
}
