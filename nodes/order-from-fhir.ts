/** Makes the body of `create task` of a message in FHIR R4, or holds it. lib/mapping maps; lib/fhir reads what is elsewhere. */
import { readJson } from '../lib/client/answers/read-json.ts'
import { mapFhirAt } from '../lib/mapping/map-fhir-at.ts'
import { readMapFile } from '../lib/mapping/map-file.ts'
import { fhirBaseOf } from './shared/fhir/fhir-base-node.ts'
import type { FormReader } from './shared/form/form-reader.ts'
import { refuse } from './shared/form/inputs.ts'
import { registerLocal } from './shared/message-node.ts'
import type { Runtime } from './shared/runtime/node-red.ts'

const [CREATE, RETRACT, HELD] = [0, 1, 2]

export default function (RED: Runtime) {
  registerLocal(RED, 'countersign-order-from-fhir', async ({ runtime, config, message, reader, signal }) => {
    const map = await mapOf(reader)
    const fhir = fhirBaseOf(runtime, config.fhir)
    const read = async (reference: string) => (await fhir?.read(reference, signal)) ?? null
    const { mapped, origin } = await mapFhirAt(jsonIn(message.payload), map, read)
    if (!mapped.ok) return { set: { held: mapped.held }, output: HELD, shown: { tone: 'waiting', key: 'held' } }
    const { warnings } = mapped
    if (mapped.action === 'retract') {
      const { externalDocId } = mapped
      return {
        set: { externalDocId, origin, warnings, held: undefined },
        output: RETRACT,
        shown: { tone: 'good', key: 'ended' },
      }
    }
    const { externalDocId } = mapped.body.document
    const set = { payload: mapped.body, externalDocId, origin, warnings, held: undefined }
    return { set, output: CREATE, shown: { tone: 'good', key: 'read' } }
  })
}

async function mapOf(reader: FormReader) {
  const given = await reader.value('map', 'map')
  refuse(reader, [])
  return readMapFile(typeof given === 'string' ? readJson(given) : (given ?? {}))
}

/** A message is an object already, or text, or bytes as they came. */
function jsonIn(payload: unknown): unknown {
  if (Buffer.isBuffer(payload)) return readJson(payload.toString())
  return typeof payload === 'string' ? readJson(payload) : payload
}
