/** Sends a document to a signer, once. The body is made in shared/task-body.ts, the once in lib/client/once/create-once.ts. */

import { npiWarnings } from './shared/form/npi.ts'
import { taskBody } from './shared/form/task-body.ts'
import { registerMessageNode } from './shared/message-node.ts'
import type { Runtime } from './shared/runtime/node-red.ts'

export default function (RED: Runtime) {
  registerMessageNode(RED, {
    type: 'countersign-create-task',
    inputs: {},
    async work({ config, evaluate, message, connection, node, signal }) {
      const body = await taskBody(config, evaluate)
      const warnings = npiWarnings(body)
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
 * The document has been sent: what follows needs its ids, and copies of the message would each carry it along. The path of a
 * file weighs nothing, and a flow that moves the file needs it.
 */
function dropAttachment(RED: Runtime, config: Record<string, unknown>, message: Record<string, unknown>) {
  const inBody = config.source === 'body'
  if (!inBody && config.attachmentForm === 'path') return
  const [type, path] = inBody
    ? [config.bodyType, `${config.body}.document.attachment`]
    : [config.attachmentType, config.attachment]
  if (type === 'msg') RED.util.setMessageProperty(message, String(path), undefined)
}
