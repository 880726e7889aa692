/** The thread that reads large messages, so that a hostile one cannot stop Node-RED. Piscina calls the function for each. */
import { mapFhirOnce } from '../../../lib/mapping/map-fhir-at.ts'
import { mapHl7WithOrigin } from '../../../lib/mapping/map-hl7.ts'
import { payloadOf, textInJson } from '../held/payload-text.ts'
import { InputError } from '../runtime/failures.ts'
import { collect } from './collect.ts'
import type { Jobs, Outcome } from './in-thread.ts'

const jobs: { [N in keyof Jobs]: (question: Jobs[N]['question']) => Jobs[N]['answer'] } = {
  map({ message, map }) {
    const mapped = mapHl7WithOrigin(message, map)
    // The thread owns these bytes. They are free at once, and do not wait for its garbage collector.
    if (message instanceof Uint8Array && message.buffer instanceof ArrayBuffer) message.buffer.transfer(0)
    return mapped
  },
  fhir: mapFhirOnce,
  text: ({ payload }) => textInJson(own(payload)),
  payload: ({ corrected, kept }) => payloadOf(corrected, own(kept)),
}

export default function run<N extends keyof Jobs>({
  name,
  question,
}: {
  name: N
  question: Jobs[N]['question']
}): Outcome<N> {
  // After the answer is on its way: nothing else waits for this thread.
  setImmediate(() => collect('last-resort'))
  try {
    return { answer: jobs[name](question) }
  } catch (failure) {
    // The class of an error does not come through to the other thread.
    if (failure instanceof InputError) return { errors: failure.errors }
    throw failure
  }
}

/** A Buffer comes through as the array that it is made of. */
const own = (payload: unknown): unknown =>
  payload instanceof Uint8Array ? Buffer.from(payload.buffer, payload.byteOffset, payload.byteLength) : payload
