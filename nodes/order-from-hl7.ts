/** Makes the body of `create task` of a message in HL7 v2, or holds it. lib/mapping maps. */
import { mapHl7 } from '../lib/mapping/map-hl7.ts'
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
    return orderResult(mapHl7(payload, await mapInput(reader)))
  })
}
