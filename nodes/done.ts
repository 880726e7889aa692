/**
 * Says that a flow has dealt with the outcome of a task, with the reminder of an open one, or with a message that was accepted from
 * elsewhere, so that no node sends it again. Tells the host nothing.
 */
import { anyPathId } from '../lib/contract/primitives.ts'
import { readInputs } from './shared/form/inputs.ts'
import { isAccepted, taken } from './shared/intake/taken.ts'
import { registerMessageNode } from './shared/message-node.ts'
import { takeReminder } from './shared/overdue/reminder-id.ts'
import type { Runtime } from './shared/runtime/node-red.ts'
import { acknowledge } from './shared/service/outcomes.ts'
import { checkService } from './shared/service/same-task.ts'

export default function (RED: Runtime) {
  registerMessageNode(RED, {
    type: 'countersign-done',
    inputs: {},
    async work({ message, reader, service }) {
      const schema = anyPathId()
      // No task is made of some messages, as of one that only moves a patient.
      const { taskId } = await readInputs({ taskId: isAccepted(message) ? schema.optional() : schema }, reader)
      if (taskId !== undefined) checkService(message, service)
      // The outcome of a task that is overdue is still to come.
      const isOfOpenTask = await takeReminder(service, message)
      if (taskId !== undefined && !isOfOpenTask) await acknowledge(service, taskId)
      taken(message)
      return { set: { ...(taskId !== undefined && { taskId }) }, shown: { tone: 'good', key: 'acknowledged' } }
    },
  })
}
