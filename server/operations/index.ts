/** Every row of the table with what it does. The compiler refuses a row without one. */
import { checkHealth } from './check-health.ts'
import { createSubscription } from './create-subscription.ts'
import { run as createTask } from './create-task.ts'
import { deleteSubscription } from './delete-subscription.ts'
import { findProvider } from './find-provider.ts'
import { listDocumentTypes } from './list-document-types.ts'
import { listSubscriptions } from './list-subscriptions.ts'
import { listTasks } from './list-tasks.ts'
import { listTemplates } from './list-templates.ts'
import type { Operations } from './operation.ts'
import { readTask } from './read-task.ts'
import { run as retractTask } from './retract-task.ts'
import { updateSubscription } from './update-subscription.ts'
import { run as updateTask } from './update-task.ts'

export const handlers: Operations = {
  checkHealth,
  listDocumentTypes,
  listTemplates,
  findProvider,
  createTask,
  readTask,
  listTasks,
  updateTask,
  retractTask,
  createSubscription,
  listSubscriptions,
  updateSubscription,
  deleteSubscription,
}
