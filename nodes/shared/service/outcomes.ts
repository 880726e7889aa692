/** Opens what the nodes of a service remember of outcomes together: those that were sent into a flow, and those that are recorded. */
import { randomUUID } from 'node:crypto'
import { createOutcomeLedger, type OutcomeLedger } from '../../../lib/client/unrecorded/outcome-ledger.ts'
import type { ServiceNode } from './connection.ts'

/** Flows live in the process: what an earlier one had sent may have been lost with it. */
const RUN = randomUUID()

export const outcomesOf = async (service: ServiceNode): Promise<OutcomeLedger> =>
  createOutcomeLedger({ journal: await service.journal('outcomes'), run: RUN, now: Date.now })
