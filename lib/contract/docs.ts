/**
 * Titles, descriptions, examples and privacy marks of the schemas. A registry of our own, because `z.globalRegistry` is one per
 * process and Node-RED shares its process with other packages.
 */
import * as z from 'zod'

export interface Doc {
  /** Set on the schemas that OpenAPI lists under `components`: their input is their output. */
  id?: string
  title: string
  description: string
  /** At least one value, as it travels on the wire. */
  examples: readonly unknown[]
  /** True for patients' data, free text, senders' ids, documents and secrets: never to be logged. */
  sensitive?: boolean
  /** The type that is documented where the schema reads the value from text of a path or query. */
  type?: 'boolean' | 'integer' | 'string'
}

export const docs = z.registry<Doc>()
