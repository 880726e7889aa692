/** Names this process, so that what an earlier one has left in a journal is known for what it is. */
import { randomUUID } from 'node:crypto'

/** Flows live in the process: what an earlier run had sent may have been lost with it. */
export const RUN = randomUUID()
