/** Fetches the signed PDF of a completed task, as a Buffer, as text or into a file. */
import { fetchSigned } from '../lib/client/fetch-signed.ts'
import { anyPathId, text } from '../lib/contract/primitives.ts'
import type { Task } from '../lib/contract/task/task.ts'
import { readSignature } from '../lib/pdf/read-signature.ts'
import { dayAt } from '../lib/time-zone.ts'
import { fileName } from './shared/document/file-name.ts'
import { saveWhole } from './shared/document/save-whole.ts'
import { registerMessageNode } from './shared/message-node.ts'
import type { Config, Runtime } from './shared/runtime/node-red.ts'
import { timeOfStatus } from './shared/service/outcome-properties.ts'
import { acknowledge } from './shared/service/outcomes.ts'
import { checkDocument } from './shared/service/same-task.ts'

export default function (RED: Runtime) {
  registerMessageNode(RED, {
    type: 'countersign-download',
    inputs: (config) => ({ taskId: anyPathId(), ...patientParts(config) }),
    async work({ inputs: { taskId, ...patient }, message, config, connection, service, runtime, signal }) {
      const { bytes, task, sha256 } = await fetchSigned(connection.client, taskId, { signal })
      checkDocument(message, task)
      const { externalDocId, status } = task
      const signature = await readSignature(bytes, { certificates: connection.certificates })
      const name = fileName(patternOf(config), { ...valuesOf(task, service.settings.timeZone), ...patient })
      const unique = runtime.util.generateId()
      const path =
        config.deliver === 'file'
          ? await saveWhole(String(config.folder ?? ''), name, bytes, { unique, mode: modeOf(config) })
          : undefined
      // A document that is only in memory is not safe yet.
      if (path !== undefined && config.acknowledge === true) await acknowledge(service, taskId)
      return {
        set: {
          taskId,
          status,
          externalDocId,
          sha256,
          signature,
          occurredAtUtc: timeOfStatus(message, service, taskId, status),
          payload: path ?? (FORMS[String(config.deliver)] ?? asBuffer)(bytes),
          filename: path ?? name,
          contentType: 'application/pdf',
          size: bytes.length,
        },
        shown: { tone: 'good', key: 'downloaded' },
      }
    },
  })
}

/** Makes the payload in the form that the node is set to; a file has its path there. */
const FORMS: Record<string, (bytes: Buffer) => Buffer | string> = {
  base64: (bytes) => bytes.toString('base64'),
  dataUrl: (bytes) => `data:application/pdf;base64,${bytes.toString('base64')}`,
}
const asBuffer = (bytes: Buffer) => bytes

/** Who can read a file, as the form offers it; anything else means its user alone. */
const MODES: Readonly<Record<string, number>> = { '0640': 0o640, '0660': 0o660, '0644': 0o644 }
const modeOf = ({ mode }: Config): number => MODES[String(mode)] ?? 0o600

const patternOf = ({ filename }: Config): string => String(filename || '{taskId}.pdf')

/** Longer than any of these is on paper. */
const MAX_PART = 200

/** The inputs that describe the patient. They are read, and then required, only when the file name asks for them. */
const patientParts = (config: Config) =>
  Object.fromEntries(
    ['mrn', 'family'].filter((part) => patternOf(config).includes(`{${part}}`)).map((part) => [part, text(MAX_PART)]),
  )

const valuesOf = ({ taskId, externalDocId, status, updatedAt }: Task, timeZone: string | null) => ({
  taskId,
  externalDocId: externalDocId ?? '',
  status,
  date: dayAt(timeZone, updatedAt ? new Date(updatedAt) : new Date()),
})
