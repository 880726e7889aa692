/** Records where the outcome of a task was saved; archives or files the request. The work is done in lib/client/once/record-once.ts. */
import { recordOnce } from '../lib/client/once/record-once.ts'
import { anyPathId, MAX_HOST_TEXT, text } from '../lib/contract/primitives.ts'
import { lengthWarnings } from './shared/form/checks.ts'
import { registerMessageNode } from './shared/message-node.ts'
import type { Runtime } from './shared/runtime/node-red.ts'
import { acknowledge } from './shared/service/outcomes.ts'
import { checkDocumentOf } from './shared/service/same-task.ts'

export default function (RED: Runtime) {
  registerMessageNode(RED, {
    type: 'countersign-record',
    inputs: { taskId: anyPathId(), externalSavedDocumentId: text(MAX_HOST_TEXT) },
    otherNames: { externalSavedDocumentId: 'savedId' },
    async work({ inputs, message, config, connection, service, reader, node, signal }) {
      const { taskId, externalSavedDocumentId } = inputs
      const { profile, checks } = connection.speech
      const longest = profile.limits.savedDocumentIdLength
      const id = { field: 'externalSavedDocumentId', text: externalSavedDocumentId, longest }
      for (const warning of lengthWarnings(id, checks, reader)) node.warn(warning)
      // Neither can be undone, so false is never sent: after the first true it would be refused.
      const marks = { ...(config.archive === true && { archived: true }), ...(config.file === true && { saved: true }) }
      const outcome = { externalSavedDocumentId, ...marks }
      await checkDocumentOf(message, connection.client, taskId, signal)
      const { repeated } = await recordOnce(connection.client, taskId, outcome, { signal })
      // A host may record it and never say so.
      await acknowledge(service, taskId)
      return { set: { taskId, externalSavedDocumentId, repeated }, shown: { tone: 'good', key: 'recorded' } }
    },
  })
}
