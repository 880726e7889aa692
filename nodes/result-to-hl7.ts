/** Makes HL7 v2 of what became of an order in HL7 v2, for “MLLP out”. lib/mapping makes it. */
import { anyPathId } from '../lib/contract/primitives.ts'
import { TaskStatus } from '../lib/contract/task/task.ts'
import { Hl7Origin } from '../lib/mapping/hl7-result/origin.ts'
import {
  type Hl7Parties,
  type Hl7Result,
  type Hl7ResultHabits,
  resultToHl7,
} from '../lib/mapping/hl7-result/result-to-hl7.ts'
import { signatureOf } from './shared/document/signature-of.ts'
import { registerLocal } from './shared/message-node.ts'
import { InputError } from './shared/runtime/failures.ts'
import type { Config, Message, Runtime } from './shared/runtime/node-red.ts'

const EVENTS: readonly Hl7ResultHabits['event'][] = ['T02', 'T04', 'T10', 'R01']

export default function (RED: Runtime) {
  registerLocal(RED, 'countersign-result-to-hl7', async ({ config, message }) => {
    const result = resultOf(message, config)
    if (!result.ok) throw new InputError(result.held)
    const { controlId, messageType, documentId } = result
    return {
      set: {
        payload: Buffer.from(result.message),
        controlId,
        messageType,
        savedId: `${String(message.taskId)}-${documentId}`,
      },
    }
  })
}

function resultOf(message: Message, config: Config): Hl7Result {
  const taskId = anyPathId().safeParse(String(message.taskId ?? ''))
  const status = TaskStatus.safeParse(message.status)
  const origin = Hl7Origin.safeParse(message.origin)
  const signed = signatureOf(message)
  const wrong = [
    ...(taskId.success ? [] : ['taskId: required; that of the task']),
    ...(status.success ? [] : ['status: required; that of the task']),
    ...(origin.success ? [] : ['origin: required; what “order from HL7” has set']),
    ...(signed.ok ? [] : [signed.problem]),
  ]
  if (!taskId.success || !status.success || !origin.success || !signed.ok) throw new InputError(wrong)
  const statusReason = typeof message.statusReason === 'string' ? message.statusReason : null
  const task = { taskId: taskId.data, status: status.data, statusReason }
  const pdf = Buffer.isBuffer(message.payload) ? message.payload : undefined
  return resultToHl7({ task, pdf, origin: origin.data, at: Date.now(), ...signed.given }, habitsOf(config))
}

const habitsOf = (config: Config): Hl7ResultHabits => ({
  event: EVENTS.find((one) => one === config.event) ?? 'T02',
  completion: config.completion === 'AU' ? 'AU' : 'LA',
  parties: partiesOf(config),
})

function partiesOf(config: Config): Hl7Parties {
  const typed = (name: keyof Hl7Parties) => String(config[name] ?? '').trim()
  return {
    sendingApplication: typed('sendingApplication'),
    sendingFacility: typed('sendingFacility'),
    receivingApplication: typed('receivingApplication'),
    receivingFacility: typed('receivingFacility'),
  }
}
