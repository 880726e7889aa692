/** The partner interface: every row of the contract with what it does. The compiler refuses a row without one. */
import { type OperationName, operations } from '../../../lib/contract/operations.ts'
import { operationsOf } from '../../../lib/profile/host-operations.ts'
import type { HostProfile } from '../../../lib/profile/host-profile.ts'
import type { Facts, Row } from '../row.ts'
import * as checkHealth from './check-health.ts'
import * as createTask from './create-task.ts'
import * as findProvider from './find-provider.ts'
import * as listDocumentTypes from './list-document-types.ts'
import * as listTasks from './list-tasks.ts'
import * as listTemplates from './list-templates.ts'
import * as readTask from './read-task.ts'
import * as retractTask from './retract-task.ts'
import type { SenderContext, SenderRun } from './sender-context.ts'
import * as createSubscription from './subscriptions/create-subscription.ts'
import * as deleteSubscription from './subscriptions/delete-subscription.ts'
import * as listSubscriptions from './subscriptions/list-subscriptions.ts'
import * as updateSubscription from './subscriptions/update-subscription.ts'
import * as updateTask from './update-task.ts'

const row = <N extends OperationName>(
  name: N,
  does: Pick<Row<SenderContext>, 'examine' | 'unnoticed'> & { run: SenderRun<N> },
  facts: Omit<Facts, 'who'> = {},
): Row<SenderContext> => {
  const described: Omit<Row<SenderContext>, 'run' | 'who'> = operations[name]
  return { ...described, who: [described.public ? 'anybody' : 'sender'], ...facts, ...does }
}

/** The operations as the interface words them. */
export const sender: Readonly<Record<OperationName, Row<SenderContext>>> = {
  checkHealth: row('checkHealth', checkHealth),
  listDocumentTypes: row('listDocumentTypes', listDocumentTypes),
  listTemplates: row('listTemplates', listTemplates),
  findProvider: row('findProvider', findProvider),
  createTask: row('createTask', createTask, { reads: 'document' }),
  readTask: row('readTask', readTask, { taskId: 'id', audited: 'task.read' }),
  listTasks: row('listTasks', listTasks),
  updateTask: row('updateTask', updateTask, { taskId: 'id', audited: 'task.record' }),
  retractTask: row('retractTask', retractTask, { taskId: 'id', audited: 'task.retract' }),
  createSubscription: row('createSubscription', createSubscription),
  listSubscriptions: row('listSubscriptions', listSubscriptions),
  updateSubscription: row('updateSubscription', updateSubscription, { audited: 'subscription.update' }),
  deleteSubscription: row('deleteSubscription', deleteSubscription, { audited: 'subscription.delete' }),
}

/** Returns the table as a host has it: its paths, parameters and envelopes, and the same work. */
export function senderTable(profile: HostProfile): typeof sender {
  const described = operationsOf(profile)
  const { envelope } = profile.list
  const asSpoken = Object.entries(sender).map(([name, row]) => {
    const { path, query, body, responses } = described[name as OperationName]
    const run: typeof row.run = async (context, request) => {
      const result = await row.run(context, request)
      return envelope !== null && Array.isArray(result) ? { [envelope]: result } : result
    }
    return [name, { ...row, path, ...(query && { query }), ...(body && { body }), responses, run }]
  })
  return Object.fromEntries(asSpoken) as typeof sender
}
