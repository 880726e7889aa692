/** The control plane of a sandbox: a sender acts for the signer, lets time pass, lets things go wrong. Never part of /api/v1. */
import type { Table } from '../row.ts'
import { rejectAsSigner, signAsSigner } from './act-for-signer.ts'
import { advanceClock, readClock } from './clock.ts'
import { listTaskDeliveries } from './deliveries.ts'
import { readReviewSetting, setReviewSetting } from './manual-review.ts'
import { clearFaults, listFaults, planFault, removeFault } from './plan-faults.ts'
import { resetOrganization } from './reset.ts'
import type { SandboxContext } from './sandbox-context.ts'

export const sandbox: Table<SandboxContext> = {
  signAsSigner,
  rejectAsSigner,
  listTaskDeliveries,
  readClock,
  advanceClock,
  planFault,
  listFaults,
  clearFaults,
  removeFault,
  readReviewSetting,
  setReviewSetting,
  resetOrganization,
}
