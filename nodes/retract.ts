/** Withdraws a task that waits in the signer's inbox. The work is done in lib/client/once/retract-once.ts. */
import { retractOnce } from '../lib/client/once/retract-once.ts'
import { operations } from '../lib/contract/operations.ts'
import { registerMessageNode } from './shared/message-node.ts'
import type { Runtime } from './shared/runtime/node-red.ts'

export default function (RED: Runtime) {
  registerMessageNode(RED, {
    type: 'countersign-retract',
    inputs: { taskId: operations.retractTask.params.shape.id, reason: operations.retractTask.query.shape.reason },
    async work({ inputs: { taskId, reason }, connection, signal }) {
      const { repeated } = await retractOnce(connection.client, taskId, { reason, signal })
      return { set: { taskId, status: 'Retracted', repeated }, shown: { tone: 'good', key: 'retracted' } }
    },
  })
}
