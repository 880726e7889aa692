/** The segments that every result has: the header, what is repeated of the order, and the PDF. Pure. */
import { encodingCharacters } from '../../hl7/delimiters.ts'
import { type Field, fieldOf, fieldWith, type Segment, segmentsOf, withFields } from '../../hl7/message.ts'
import type { Result } from './result-to-hl7.ts'

/** Returns a segment without fields. */
export const empty = (name: string): Segment => ({ name, fields: [] })

/** Returns MSH: between the parties of the result, in the version, processing id and character set of the order. */
export function header({ origin, controlId, time, parties, escaped }: Result, type: readonly string[]): Segment {
  const [order = empty('MSH')] = segmentsOf(origin, 'MSH')
  const same = (number: number): Field => fieldOf(order, number)
  return withFields(empty('MSH'), {
    1: fieldWith(origin.delimiters.field),
    2: fieldWith(encodingCharacters(origin.delimiters)),
    3: partyOf(parties.sendingApplication, escaped) ?? same(5),
    4: partyOf(parties.sendingFacility, escaped) ?? same(6),
    5: partyOf(parties.receivingApplication, escaped) ?? same(3),
    6: partyOf(parties.receivingFacility, escaped) ?? same(4),
    7: fieldWith(time),
    9: [type.map((part) => [part])],
    10: fieldWith(controlId),
    11: same(11),
    12: same(12),
    18: same(18),
  })
}

/** HD: a name, or a name with a unique id and its type. */
const partyOf = (text = '', escaped: Result['escaped']): Field | null =>
  text === '' ? null : [text.split('^').map((part) => [escaped(part)])]

/** Returns ORC and OBR of the order. `RE` in ORC-1 says that they order nothing again. */
export const order = ({ origin }: Result): Segment[] => [
  ...segmentsOf(origin, 'ORC')
    .slice(0, 1)
    .map((control) => withFields(control, { 1: fieldWith('RE') })),
  ...segmentsOf(origin, 'OBR').slice(0, 1),
]

/** Returns the signed PDF in OBX-5, under the code that the document had when it came. */
export function signedPdf({ origin, pdf, signedAt }: Result): Segment {
  const [sent = empty('OBX')] = segmentsOf(origin, 'OBX')
  const code = fieldOf(sent, 3)
  const base64 = Buffer.from(pdf).toString('base64')
  return withFields(sent, {
    1: fieldWith('1'),
    2: fieldWith('ED'),
    3: code.length > 0 ? code : [[['PDF'], ['Document']]],
    5: [[[''], ['application'], ['pdf'], ['Base64'], [base64]]],
    11: fieldWith('F'),
    14: fieldWith(signedAt),
  })
}
