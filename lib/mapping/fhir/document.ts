/** What the document of an order in FHIR is: its type, its clinical date, the sender's id, the diagnosis and the PDF. Pure. */
import type { TaskDocument } from '../../contract/task/document.ts'
import { annotationsOf } from '../annotations.ts'
import type { Placed } from '../findings.ts'
import { dayOf } from './day.ts'
import type { Order } from './order.ts'
import { pdfOf } from './pdf.ts'
import type { Reading } from './reading.ts'
import { type CodeableConcept, Condition } from './resources.ts'

export function documentFacts(order: Order, reading: Reading): TaskDocument {
  const { map, findings } = reading
  const known = kindOf(order, reading)
  if (order.date === undefined) findings.hold('date', 'no clinical date, and the date of the message is none')
  const diagnosisCode = diagnosis(order, reading)
  return {
    attachment: pdfOf(order, reading),
    documentTypeId: known?.documentTypeId ?? 0,
    effectiveDate: order.date === undefined ? '' : dayOf('document.effectiveDate', order.date, findings),
    externalDocId: externalDocId(order, reading),
    annotations: annotationsOf(known, map, findings),
    ...(diagnosisCode !== undefined && { diagnosisCode }),
  }
}

/** Returns the sender's id of the document, `system|value`. */
export function externalDocId({ ids }: Order, { findings }: Reading): string {
  const found = ids.filter(({ value: { use, value } }) => use !== 'old' && value !== undefined && value.trim() !== '')
  const first = found[0]?.value
  if (found[0] === undefined) findings.hold('identifier', 'no id of the document')
  else findings.from('document.externalDocId', found[0].place)
  if (found.length > 1) findings.warn('identifier', 'there are several; the first is the id of the document')
  return `${first?.system === undefined ? '' : `${first.system}|`}${first?.value ?? ''}`
}

/** By `system|code`, or by the code alone. */
function kindOf({ type }: Order, { map: { documentTypes }, findings }: Reading) {
  const names = (type?.value.coding ?? []).flatMap(({ system = '', code = '' }) => [`${system}|${code}`, code])
  const name = names.find((one) => Object.hasOwn(documentTypes, one))
  if (type !== undefined && name !== undefined) {
    findings.from('document.documentTypeId', `${type.place}, by the table documentTypes`)
    return documentTypes[name]
  }
  const codes = (type?.value.coding ?? []).map(({ code }) => JSON.stringify(code)).join(', ')
  if (type === undefined || codes === '') findings.hold(type?.place ?? 'type', 'no code of the kind of document')
  else findings.hold(type.place, `none of the codes ${codes} is in the table of document types`)
  return undefined
}

const ICD_10 = ['http://hl7.org/fhir/sid/icd-10-cm', 'http://hl7.org/fhir/sid/icd-10', 'urn:oid:2.16.840.1.113883.6.90']

function diagnosis({ reasons, reasonReferences }: Order, { collection, findings }: Reading): string | undefined {
  const referred = reasonReferences.flatMap(({ place, reference, owner }): Placed<CodeableConcept>[] => {
    if (!collection.has(reference, 'Condition', owner)) return []
    const condition = collection.resolve(reference, place, Condition, owner, findings)
    return condition?.code ? [{ place: `${place}.resolve().code`, value: condition.code }] : []
  })
  const codings = [...reasons, ...referred].flatMap(({ place, value }) =>
    value.coding.map((coding) => ({ place, coding })),
  )
  const known = codings.find(({ coding: { system, code } }) => code !== undefined && ICD_10.includes(system ?? ''))
  if (known !== undefined) findings.from('document.diagnosisCode', known.place)
  return known?.coding.code
}
