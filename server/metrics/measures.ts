/** The measurements that parts of the service report. Types, and an implementation that keeps nothing. */

import type { AttemptOutcome } from '../domain/delivery/attempt.ts'
import type { RequestFacts } from '../http/access-log.ts'
import type { Outage } from '../store/sql/patience.ts'
import type { IngestionOutcome } from '../workers/ingest.ts'

export interface Measures {
  request(facts: RequestFacts): void
  ingested(outcome: IngestionOutcome | 'fault', ms: number): void
  attempted(outcome: AttemptOutcome): void
  /** @param at where it was met: `requests`, or the name of a worker */
  fault(at: string, fault: unknown): void
  outage(outage: Outage): void
}

export const noMeasures: Measures = { request() {}, ingested() {}, attempted() {}, fault() {}, outage() {} }
