/** Acts in the signer's place on a sandbox: signs or rejects. A production host has no such call. */
import { operations } from '../lib/contract/operations.ts'
import { anyPathId } from '../lib/contract/primitives.ts'
import { registerMessageNode } from './shared/message-node.ts'
import type { Runtime } from './shared/runtime/node-red.ts'
import { actAsSigner } from './shared/service/act-as-signer.ts'
import { checkDocumentOf } from './shared/service/same-task.ts'

export default function (RED: Runtime) {
  registerMessageNode(RED, {
    type: 'countersign-signer',
    inputs: { taskId: anyPathId(), reason: operations.retractTask.query.shape.reason },
    async work({ inputs: { taskId, reason }, message, config, connection, signal }) {
      await checkDocumentOf(message, connection.client, taskId, signal)
      const act = config.act === 'reject' ? 'reject' : 'sign'
      await actAsSigner(connection.sandbox, taskId, { act, reason }, signal)
      return { set: { taskId }, shown: { tone: 'good', key: act === 'sign' ? 'signed' : 'rejected' } }
    },
  })
}
