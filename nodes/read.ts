/** Reads one task, without its document. */
import { anyPathId } from '../lib/contract/primitives.ts'
import { registerMessageNode } from './shared/message-node.ts'
import type { Runtime } from './shared/runtime/node-red.ts'
import { timeOfStatus } from './shared/service/outcome-properties.ts'
import { checkDocument } from './shared/service/same-task.ts'

export default function (RED: Runtime) {
  registerMessageNode(RED, {
    type: 'countersign-read',
    inputs: { taskId: anyPathId() },
    async work({ inputs: { taskId }, message, connection, service, signal }) {
      const task = await connection.client.readTask({ params: { id: taskId } }, { signal })
      checkDocument(message, task)
      const { status, statusReason = null, documentId = null, externalDocId } = task
      return {
        set: {
          payload: task,
          taskId,
          status,
          statusReason,
          documentId,
          externalDocId,
          occurredAtUtc: timeOfStatus(message, service, taskId, status),
        },
        shown: { tone: 'good', key: 'read' },
      }
    },
  })
}
