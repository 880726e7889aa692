/** Makes the body of `create task` of a message in FHIR R4, or holds it. lib/mapping maps; lib/fhir reads what is elsewhere. */
import { fhirBaseOf } from './shared/fhir/fhir-base-node.ts'
import { mapLargeFhir } from './shared/large/in-thread.ts'
import { mapInput } from './shared/mapping/map-input.ts'
import { orderResult } from './shared/mapping/order-result.ts'
import { registerLocal } from './shared/message-node.ts'
import type { Runtime } from './shared/runtime/node-red.ts'

export default function (RED: Runtime) {
  registerLocal(RED, 'countersign-order-from-fhir', async ({ runtime, config, message, reader, signal }) => {
    const map = await mapInput(reader)
    const fhir = fhirBaseOf(runtime, config.fhir)
    const read = async (reference: string) => (await fhir?.read(reference, signal)) ?? null
    const { mapped, origin } = await mapLargeFhir(message.payload, map, read)
    const result = orderResult(mapped)
    return { ...result, set: { ...result.set, ...(origin && { origin }) } }
  })
}
