/** Makes FHIR R4 of what became of an order in FHIR, and writes it to the base. lib/mapping makes it; lib/fhir writes it. */

import { anyPathId } from '../lib/contract/primitives.ts'
import { TaskStatus } from '../lib/contract/task/task.ts'
import { writeOnce } from '../lib/fhir/write-once.ts'
import { FhirOrigin } from '../lib/mapping/fhir-result/origin.ts'
import { type FhirResult, resultToFhir } from '../lib/mapping/fhir-result/result-to-fhir.ts'
import { signatureOf } from './shared/document/signature-of.ts'
import { fhirBaseOf } from './shared/fhir/fhir-base-node.ts'
import { registerLocal } from './shared/message-node.ts'
import { InputError, NodeError } from './shared/runtime/failures.ts'
import type { Config, Message, Runtime } from './shared/runtime/node-red.ts'

export default function (RED: Runtime) {
  registerLocal(RED, 'countersign-result-to-fhir', async ({ runtime, config, message, signal }) => {
    const result = resultOf(message, config)
    if (!result.ok) throw new InputError(result.held)
    const { resource, ifNoneExist, supersedes } = result
    const set = { payload: resource, ifNoneExist, supersedes }
    if (config.deliver !== 'write') return { set }
    const fhir = fhirBaseOf(runtime, config.fhir)
    if (!fhir) throw new NodeError('NO_FHIR_BASE', 'FHIR base (fhir): none is chosen. Choose the server to write to.')
    const { location, isNew } = await writeOnce(fhir, result, signal)
    const savedId = location === null ? undefined : idIn(location)
    return { set: { ...set, location, isNew, savedId }, shown: { tone: 'good', key: 'recorded' } }
  })
}

function resultOf(message: Message, config: Config): FhirResult {
  const taskId = anyPathId().safeParse(String(message.taskId ?? ''))
  const status = TaskStatus.safeParse(message.status)
  const origin = FhirOrigin.safeParse(message.origin)
  const signed = signatureOf(message)
  const wrong = [
    ...(taskId.success ? [] : ['taskId: required; that of the task']),
    ...(status.success ? [] : ['status: required; that of the task']),
    ...(origin.success ? [] : ['origin: required; what “order from FHIR” has set']),
    ...(signed.ok ? [] : [signed.problem]),
  ]
  if (!taskId.success || !status.success || !origin.success || !signed.ok) throw new InputError(wrong)
  const task = {
    taskId: taskId.data,
    status: status.data,
    statusReason: textOf(message.statusReason),
    externalDocId: textOf(message.externalDocId),
  }
  const pdf = Buffer.isBuffer(message.payload) ? message.payload : undefined
  const habits = {
    content: config.content === 'binary' ? 'binary' : 'inline',
    dayWithTime: config.dayWithTime === true,
    profile: PROFILES.find((one) => one === config.profile) ?? 'plain',
    provenance: config.provenance === true,
  } as const
  return resultToFhir({ task, pdf, origin: origin.data, at: Date.now(), ...signed.given }, habits)
}

const PROFILES = ['plain', 'us-core', 'mhd'] as const

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null)

/** `DocumentReference/7` of a location, relative or absolute, without its version. */
const idIn = (location: string): string =>
  /([A-Z]\w+\/[A-Za-z0-9.-]+)(\/_history\/.*)?$/.exec(location)?.[1] ?? location
