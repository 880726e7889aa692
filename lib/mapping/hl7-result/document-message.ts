/** A result as a message about a document: MDM^T02, T04 or T10 with the signed PDF, T03 with the status alone. Pure. */
import { fittedTo } from '../../hl7/character-set.ts'
import {
  type Field,
  fieldOf,
  fieldWith,
  type Message,
  type Repetition,
  type Segment,
  segmentsOf,
  withFields,
} from '../../hl7/message.ts'
import type { SealedPerson } from '../../pdf/read-signature.ts'
import { escapedField } from './origin.ts'
import type { Result } from './result-to-hl7.ts'
import { empty, header, order, signedPdf } from './segments.ts'

export function documentMessage(result: Result): Message {
  const { event, origin, time } = result
  const { delimiters, characterSet } = origin
  const [visit = withFields(empty('PV1'), { 1: fieldWith('1'), 2: fieldWith('U') })] = segmentsOf(origin, 'PV1')
  const segments = [
    header(result, ['MDM', event, event === 'T03' ? 'MDM_T01' : 'MDM_T02']),
    withFields(empty('EVN'), { 2: fieldWith(time) }),
    ...segmentsOf(origin, 'PID'),
    visit,
    ...order(result),
    withFields(asSent(result), event === 'T03' ? ended(result) : signed(result)),
    ...(event === 'T03' ? [] : [signedPdf(result)]),
  ]
  return { delimiters, characterSet, segments }
}

/** Returns TXA as it came; of an order without one, what OBR and ORC tell of its document. */
function asSent({ origin, escaped }: Result): Segment {
  const [sent] = segmentsOf(origin, 'TXA')
  if (sent !== undefined) return withFields(sent, { 1: fieldWith('1') })
  const [request = empty('OBR')] = segmentsOf(origin, 'OBR')
  const [control = empty('ORC')] = segmentsOf(origin, 'ORC')
  const number = (field: number): Field => {
    const inRequest = fieldOf(request, field)
    return inRequest.length > 0 ? inRequest : fieldOf(control, field)
  }
  return withFields(empty('TXA'), {
    1: fieldWith('1'),
    2: fieldWith(fieldOf(request, 4)[0]?.[0]?.[0] ?? ''),
    4: fieldOf(request, 7),
    10: origin.signer.length > 0 ? escapedField([origin.signer], escaped) : [],
    12: escapedField([origin.documentId], escaped),
    14: number(2),
    15: number(3),
  })
}

function signed(result: Result): Record<number, Field> {
  const { event, completion, taskId, origin, escaped } = result
  const documentId = escapedField([origin.documentId], escaped)
  const [[[id = ''] = [], ...namespace] = []] = documentId
  const own: Field = [[[`${taskId}`], ['COUNTERSIGN']]]
  const renamed: Record<string, Record<number, Field>> = {
    T02: { 12: own, 13: documentId },
    T10: { 12: [[[`${id}-S`], ...namespace]], 13: documentId },
  }
  return {
    ...renamed[event],
    3: fieldWith('AP'),
    17: fieldWith(completion),
    19: fieldWith('AV'),
    22: authenticator(result),
  }
}

/** PPN: XCN, with the time of the signature in its fifteenth component. Empty when neither who signed nor when is known. */
function authenticator({ signer, signedAt, origin, escaped }: Result): Field {
  if (signer === null && signedAt === '') return []
  const isAddressed = signer !== null && origin.signerNpi === signer.npi
  const known = isAddressed ? origin.signer : signer === null ? [] : xcnOf(signer)
  const person = Array.from({ length: 14 }, (_, index) => known[index] ?? [''])
  return [[...escapedField([person], escaped)[0]!, [signedAt]]]
}

const NPI_AUTHORITY = ['NPI', '2.16.840.1.113883.4.6', 'ISO']

/** A seal has the name as one text: which parts are given and family names is not known, so it is not split. */
const xcnOf = ({ npi, name }: SealedPerson): Repetition =>
  Array.from({ length: 13 }, (_, index) => ({ 0: [npi], 1: [name], 8: NPI_AUTHORITY, 12: ['NPI'] })[index] ?? [''])

/** The document stays incomplete, TXA-21 says why, and no one has authenticated it. */
const ended = ({ reason, origin, escaped }: Result): Record<number, Field> => ({
  17: fieldWith('IN'),
  21: fieldWith(escaped(fittedTo(origin.characterSet, reason))),
  22: [],
})
