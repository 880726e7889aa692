/** Sends a document to a signer, at most once. shared/form/task-body.ts builds the body, lib/client/once/create-once.ts sends it. */

import { npiWarnings } from './shared/form/npi.ts'
import { taskBody } from './shared/form/task-body.ts'
import { registerMessageNode } from './shared/message-node.ts'
import type { Runtime } from './shared/runtime/node-red.ts'

export default function (RED: Runtime) {
  registerMessageNode(RED, {
    type: 'countersign-create-task',
    inputs: {},
    async work({ config, evaluate, message, connection, node, signal }) {
      const { body, warnings: doubtful } = await taskBody(config, evaluate, connection.speech)
      const warnings = [...doubtful, ...npiWarnings(body)]
      for (const warning of warnings) node.warn(warning)
      const { taskId, status, statusReason, duplicate } = await connection.create.createTask(body, { signal })
      if (config.keepAttachment !== true) dropAttachment(RED, config, message)
      const { externalDocId } = body.document
      return {
        set: { taskId, status, statusReason, externalDocId, duplicate, warnings },
        shown: { tone: 'good', key: duplicate ? 'duplicate' : 'created' },
      }
    },
  })
}

/**
 * Takes the document out of the message: the nodes that follow need only its ids, and every copy of the message would carry it
 * along. The path of a file stays, because a flow may want to move the file.
 */
function dropAttachment(RED: Runtime, config: Record<string, unknown>, message: Record<string, unknown>) {
  const inBody = config.source === 'body'
  if (!inBody && config.attachmentForm === 'path') return
  const [type, path] = inBody
    ? [config.bodyType, `${config.body}.document.attachment`]
    : [config.attachmentType, config.attachment]
  if (type === 'msg') RED.util.setMessageProperty(message, String(path), undefined)
}
