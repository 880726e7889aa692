/** Makes the body of `create task` of a message in HL7 v2, or holds it. lib/mapping maps. */
import { mapLargeHl7 } from './shared/large/in-thread.ts'
import { mapInput } from './shared/mapping/map-input.ts'
import { orderResult } from './shared/mapping/order-result.ts'
import { registerLocal } from './shared/message-node.ts'
import { InputError } from './shared/runtime/failures.ts'
import type { Runtime } from './shared/runtime/node-red.ts'

export default function (RED: Runtime) {
  registerLocal(RED, 'countersign-order-from-hl7', async ({ message, reader }) => {
    const { payload } = message
    if (!Buffer.isBuffer(payload) && typeof payload !== 'string')
      throw new InputError(['payload: a Buffer or text with a message in HL7 v2 is needed.'])
    const { mapped, origin } = await mapLargeHl7(payload, await mapInput(reader))
    const result = orderResult(mapped)
    return { ...result, set: { ...result.set, ...(origin && { origin }) } }
  })
}
