/** The control plane of a sandbox: a sender acts for the signer, lets time pass, lets things go wrong. Never part of /api/v1. */
import type { Table } from '../row.ts'
import { rejectAsSigner, signAsSigner } from './act-for-signer.ts'
import { listCatchers, putCatcher, removeCatcher } from './catchers.ts'
import { advanceClock, listDue, readClock, stopClock } from './clock.ts'
import { listTaskDeliveries } from './deliveries.ts'
import { listLessons, switchLesson } from './lessons/switch-lessons.ts'
import { readReviewSetting, setReviewSetting } from './manual-review.ts'
import { readRoom, scriptSigner, sendOrders, showOrder } from './orders/send-orders.ts'
import { clearFaults, listFaults, planFault, removeFault } from './plan-faults.ts'
import { resetOrganization } from './reset.ts'
import type { SandboxContext } from './sandbox-context.ts'
import {
  addScenario,
  beginScenario,
  listScenarios,
  nextStep,
  playScenario,
  readScenarioSchema,
} from './scenarios/play.ts'
import { checkSeed, readSeed, readSeedSchema, replaceSeed } from './seed/seed-rows.ts'
import { listSnapshots, removeSnapshot, restoreSnapshot, takeSnapshot } from './snapshots.ts'
import { clearRequests, listRequests } from './traffic/list-requests.ts'
import { replayRequest } from './traffic/replay.ts'

export const sandbox: Table<SandboxContext> = {
  signAsSigner,
  rejectAsSigner,
  listTaskDeliveries,
  readClock,
  advanceClock,
  stopClock,
  listDue,
  planFault,
  listFaults,
  clearFaults,
  removeFault,
  readReviewSetting,
  setReviewSetting,
  resetOrganization,
  readSeed,
  readSeedSchema,
  checkSeed,
  replaceSeed,
  listSnapshots,
  takeSnapshot,
  restoreSnapshot,
  removeSnapshot,
  listRequests,
  clearRequests,
  replayRequest,
  readRoom,
  sendOrders,
  showOrder,
  scriptSigner,
  listLessons,
  switchLesson,
  listCatchers,
  putCatcher,
  removeCatcher,
  listScenarios,
  readScenarioSchema,
  addScenario,
  nextStep,
  playScenario,
  beginScenario,
}
