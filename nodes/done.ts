/** Says that a flow has dealt with the outcome of a task, so that no node sends it again. Tells the host nothing. */
import { anyPathId } from '../lib/contract/primitives.ts'
import { registerMessageNode } from './shared/message-node.ts'
import type { Runtime } from './shared/runtime/node-red.ts'
import { acknowledge } from './shared/service/outcomes.ts'

export default function (RED: Runtime) {
  registerMessageNode(RED, {
    type: 'countersign-done',
    inputs: { taskId: anyPathId() },
    async work({ inputs: { taskId }, service }) {
      await acknowledge(service, taskId)
      return { set: { taskId }, shown: { tone: 'good', key: 'acknowledged' } }
    },
  })
}
