/** Takes the word of a flow that an outcome is dealt with, for outcomes that the host does not let anyone record. */
import { anyPathId } from '../../../lib/contract/primitives.ts'
import { evaluator } from '../form/evaluate.ts'
import { createFormReader, noLabels } from '../form/form-reader.ts'
import { readInputs } from '../form/inputs.ts'
import type { Message } from '../runtime/node-red.ts'
import { noService } from '../service/connection.ts'
import { acknowledge } from '../service/outcomes.ts'
import { checkService } from '../service/same-task.ts'
import { type ReconcileNode, showResult } from './reconcile-node.ts'

export async function acknowledgeMessage(reconcileNode: ReconcileNode, message: Message): Promise<void> {
  const { runtime, node, config, service } = reconcileNode
  if (!service) throw noService(config.service)
  const fromMessage = { ...config, taskId: 'taskId', taskIdType: 'msg' }
  const reader = createFormReader(fromMessage, evaluator(runtime, node, message), noLabels)
  const { taskId } = await readInputs({ taskId: anyPathId() }, reader)
  checkService(message, service)
  await acknowledge(service, taskId)
  showResult(reconcileNode, { tone: 'good', key: 'acknowledged', taskId })
}
