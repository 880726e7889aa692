/** The context for all parts that read an order in FHIR. */
import type { Findings } from '../findings.ts'
import type { MapFile } from '../map-file.ts'
import type { Collection } from './collection.ts'

export interface Reading {
  collection: Collection
  map: MapFile
  findings: Findings
  /** When the message is read, for periods; milliseconds since 1970. */
  at: number
}
