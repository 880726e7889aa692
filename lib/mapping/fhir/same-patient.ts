/** Whether all parts of an order in FHIR are about one patient. Pure. */
import type { Reading } from './reading.ts'
import type { Identifier } from './resources.ts'
import type { Named } from './signer.ts'

/** Holds the message when a patient is named by a reference and by an identifier that the referenced patient does not have. */
export function holdOtherIdentifier({ collection, findings }: Reading, named: Named): void {
  const { reference, owner, place } = named
  const { identifier } = reference
  const patient = reference.reference === undefined ? undefined : collection.find(reference, owner)
  if (patient === undefined || identifier?.value === undefined) return
  const known = [(patient as { identifier?: unknown }).identifier].flat() as (Identifier | null | undefined)[]
  const isOwn = known.some((one) => one?.value === identifier.value && one?.system === identifier.system)
  if (!isOwn) findings.hold(`${place}.identifier`, 'identifies another patient than the reference does')
}

/** Holds the message when two parts of it name different patients, or when it is unknown whether they do. */
export function holdOtherPatient(reading: Reading, patient: Named | undefined, other: Named | undefined): void {
  if (other !== undefined) holdOtherIdentifier(reading, other)
  if (patient === undefined || other === undefined || isSame(patient, other, reading)) return
  reading.findings.hold(other.place, `is another patient than ${patient.place}`)
}

function isSame(one: Named, other: Named, { collection }: Reading): boolean {
  if (one.reference.reference !== undefined && other.reference.reference !== undefined)
    return collection.isSame(one.reference, one.owner, other.reference, other.owner)
  const ids = identifiersOf(one, collection)
  return identifiersOf(other, collection).some((id) => ids.includes(id))
}

/** Returns the identifiers by which a reference names a patient, of itself and of what it leads to. */
function identifiersOf({ reference, owner }: Named, collection: Reading['collection']): string[] {
  const found = collection.find(reference, owner) as { identifier?: unknown } | undefined
  const all = [reference.identifier, found?.identifier].flat() as (Identifier | null | undefined)[]
  return all.flatMap((one) => (one?.system && one.value ? [`${one.system}|${one.value}`] : []))
}
