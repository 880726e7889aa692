/** The operator's interface, for operators and for administrators of an organization. The console is made of it. */
import type { Table } from '../row.ts'
import {
  createAccount,
  listAccounts,
  removeAccount,
  setPassword,
  signOutAccount,
  unlinkAccount,
  unlockAccount,
  updateAccount,
} from './accounts/accounts.ts'
import { removeSecondFactor } from './accounts/second-factor.ts'
import { exportAudit, listAudit, verifyAudit } from './audit.ts'
import { type ChangesContext, followChanges } from './changes.ts'
import { endDelegation, listDelegations } from './delegations.ts'
import { listDeliveries, readDelivery, redeliver } from './deliveries.ts'
import { readDesk, remindProvider } from './desk.ts'
import { createDocumentType, listDocumentTypes } from './document-types.ts'
import { listInstances, listSparedReceivers } from './instances.ts'
import { issueKey, listKeys, revokeKey, rotateKey } from './keys/keys.ts'
import { readProviderNotices, setProviderNotices } from './notices.ts'
import { createOrganization, listOrganizations, readOrganization, updateOrganization } from './organizations.ts'
import { createProvider, listProviders, updateProvider } from './providers.ts'
import {
  addReceiverSecret,
  createReceiver,
  listReceivers,
  readReceiver,
  resumeReceiver,
  testReceiver,
  updateReceiver,
  useReceiverSecret,
} from './receivers.ts'
import { readTaskDocument } from './tasks/document.ts'
import { exportTasks } from './tasks/export.ts'
import { reviewTask, undoTaskReview } from './tasks/review.ts'
import { searchTasks } from './tasks/search.ts'
import { cancelTask, countWork, listTasks, readTask } from './tasks/tasks.ts'
import { keepTemplateSample, readTemplateSample } from './templates/sample.ts'
import {
  createTemplate,
  listSenders,
  listTemplates,
  readTemplate,
  retireTemplate,
  updateTemplate,
} from './templates/templates.ts'
import { readTestOrder, sendTestOrder } from './test-order.ts'

export const operator: Table<ChangesContext> = {
  readDesk,
  countWork,
  listTasks,
  searchTasks,
  exportTasks,
  readTask,
  readTaskDocument,
  cancelTask,
  reviewTask,
  undoTaskReview,
  listDeliveries,
  readDelivery,
  redeliver,
  listReceivers,
  createReceiver,
  readReceiver,
  updateReceiver,
  resumeReceiver,
  testReceiver,
  addReceiverSecret,
  useReceiverSecret,
  listSenders,
  listTemplates,
  createTemplate,
  readTemplate,
  updateTemplate,
  retireTemplate,
  keepTemplateSample,
  readTemplateSample,
  listOrganizations,
  createOrganization,
  readOrganization,
  updateOrganization,
  readTestOrder,
  sendTestOrder,
  listDelegations,
  endDelegation,
  listKeys,
  issueKey,
  revokeKey,
  rotateKey,
  listProviders,
  createProvider,
  updateProvider,
  readProviderNotices,
  setProviderNotices,
  remindProvider,
  listDocumentTypes,
  createDocumentType,
  listAccounts,
  createAccount,
  updateAccount,
  removeAccount,
  setPassword,
  signOutAccount,
  unlockAccount,
  unlinkAccount,
  removeSecondFactor,
  listAudit,
  exportAudit,
  verifyAudit,
  listInstances,
  listSparedReceivers,
  followChanges,
}
