/** A signed document as a result, ORU^R01: the request as it came, final. Pure. */
import { fieldWith, type Message, segmentsOf, withFields } from '../../hl7/message.ts'
import type { Result } from './result-to-hl7.ts'
import { header, order, signedPdf } from './segments.ts'

export function observationMessage(result: Result): Message {
  const { origin, signedAt } = result
  const { delimiters, characterSet } = origin
  const final = { 22: fieldWith(signedAt), 25: fieldWith('F') }
  const segments = [
    header(result, ['ORU', 'R01', 'ORU_R01']),
    ...segmentsOf(origin, 'PID'),
    ...segmentsOf(origin, 'PV1').slice(0, 1),
    ...order(result).map((one) => (one.name === 'OBR' ? withFields(one, final) : one)),
    signedPdf(result),
  ]
  return { delimiters, characterSet, segments }
}
