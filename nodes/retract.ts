/** Withdraws a task that waits in the signer's inbox. The work is done in lib/client/once/retract-once.ts. */
import { retractOnce } from '../lib/client/once/retract-once.ts'
import { anyPathId, MAX_HOST_TEXT, upTo } from '../lib/contract/primitives.ts'
import { lengthWarnings } from './shared/form/checks.ts'
import { taken } from './shared/intake/taken.ts'
import { registerMessageNode } from './shared/message-node.ts'
import type { Runtime } from './shared/runtime/node-red.ts'

export default function (RED: Runtime) {
  registerMessageNode(RED, {
    type: 'countersign-retract',
    inputs: { taskId: anyPathId(), reason: upTo(MAX_HOST_TEXT).optional() },
    async work({ inputs: { taskId, reason }, connection, message, reader, node, signal }) {
      const { profile, checks } = connection.speech
      const given = { field: 'reason', text: reason, longest: profile.limits.reasonLength }
      for (const warning of lengthWarnings(given, checks, reader)) node.warn(warning)
      const { repeated } = await retractOnce(connection.client, taskId, { reason, signal })
      taken(message)
      return { set: { taskId, status: 'Retracted', repeated }, shown: { tone: 'good', key: 'retracted' } }
    },
  })
}
