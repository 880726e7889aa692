/** Records where the outcome of a task was saved; archives or files the request. The work is done in lib/client/once/record-once.ts. */
import { recordOnce } from '../lib/client/once/record-once.ts'
import { operations } from '../lib/contract/operations.ts'
import { registerMessageNode } from './shared/message-node.ts'
import type { Runtime } from './shared/runtime/node-red.ts'

export default function (RED: Runtime) {
  const { params, query } = operations.updateTask
  registerMessageNode(RED, {
    type: 'countersign-record',
    inputs: { taskId: params.shape.id, externalSavedDocumentId: query.shape.externalSavedDocumentId },
    async work({ inputs: { taskId, externalSavedDocumentId }, config, connection, signal }) {
      // Neither can be undone, so false is never sent: after the first true it would be refused.
      const marks = { ...(config.archive === true && { archived: true }), ...(config.file === true && { saved: true }) }
      const outcome = { externalSavedDocumentId, ...marks }
      const { repeated } = await recordOnce(connection.client, taskId, outcome, { signal })
      return { set: { taskId, externalSavedDocumentId, repeated }, shown: { tone: 'good', key: 'recorded' } }
    },
  })
}
