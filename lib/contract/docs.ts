/**
 * What people read about each schema: titles, descriptions, examples, and which values are somebody's private matter.
 * A registry of our own, because `z.globalRegistry` is one per process and Node-RED shares its process with strangers.
 */
import * as z from 'zod'

export interface Doc {
  /** Set on the schemas that OpenAPI lists under `components`. Such a schema means the same going in and coming out. */
  id?: string
  title: string
  description: string
  /** At least one value, as it travels on the wire. */
  examples: readonly unknown[]
  /** True for patients' data, free text, senders' ids, documents and secrets: never to be logged. */
  sensitive?: boolean
  /** How the value is documented where the schema is a coercion of query text. */
  type?: 'boolean' | 'integer' | 'string'
}

export const docs = z.registry<Doc>()
