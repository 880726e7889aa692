/** Whether all parts of an order in FHIR are about one patient. Pure. */
import type { Reading } from './reading.ts'
import { DocumentReference, type Identifier, Patient, type Reference } from './resources.ts'
import type { Named } from './signer.ts'
import { holdModified } from './standing.ts'

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

/**
 * Holds the message when the patient as known when a document was written (`sourcePatientInfo`) is another one than its subject, or when
 * that is unknown. It may be a record with an id of the subject. One that the document contains often has the ids of another system alone:
 * then name, birth date and gender must be equal.
 */
export function holdOtherSource(reading: Reading, patient: Named | undefined, source: Named | undefined): void {
  if (patient === undefined || source === undefined) return
  const [known, given] = [patient, source].map(({ reference, owner }) =>
    Patient.safeParse(reading.collection.find(reference, owner)),
  )
  const isAlike = known?.success && given?.success && isOnePerson(known.data, given.data, source.reference)
  if (isAlike || isSame(patient, source, reading)) holdOtherIdentifier(reading, source)
  else reading.findings.hold(source.place, `is another patient than ${patient.place}`)
}

function isOnePerson(one: Patient, other: Patient, { reference = '' }: Reference): boolean {
  if (isOther(one.birthDate, other.birthDate) || isOther(one.gender, other.gender)) return false
  const [ids, others] = [idsOf(one), idsOf(other)]
  const systems = ids.map(({ system }) => system)
  if (others.some(({ system }) => systems.includes(system)))
    return others.some(({ system, value }) => ids.some((id) => id.system === system && id.value === value))
  if (!reference.startsWith('#')) return false
  const names = one.name.map(nameOf)
  return (
    one.birthDate !== undefined &&
    one.birthDate === other.birthDate &&
    other.name.map(nameOf).some((name) => names.includes(name))
  )
}

const isOther = (one: string | undefined, other: string | undefined) =>
  one !== undefined && other !== undefined && one !== other

const idsOf = ({ identifier }: Patient) => identifier.filter(({ system, value }) => system && value)

const nameOf = ({ family = '', given: [first = ''] }: Patient['name'][number]): string =>
  JSON.stringify([family, first].map((text) => text.trim().toLowerCase()))

/** Holds the message when a visit that it holds is that of another patient, or when its status says that there is none. */
export function holdOtherVisits(
  reading: Reading,
  patient: Named | undefined,
  visits: readonly Named[],
  isWithdrawn: boolean,
): void {
  for (const { place, reference, owner } of visits) {
    const visit = reading.collection.find(reference, owner)
    if (!isWithdrawn) holdModified(visit, reading.findings)
    const subject = Subject.safeParse(visit).data?.subject
    if (subject !== undefined)
      holdOtherPatient(reading, patient, { place: `${place}.subject`, reference: subject, owner: visit })
  }
}

/** Holds the message when another patient in it says that it replaces this one. */
export function holdMerged({ collection, findings }: Reading, { reference, owner }: Named): void {
  const own = collection.find(reference, owner)
  for (const other of collection.ofType('Patient').filter((one) => one !== own)) {
    const links = Links.safeParse(other).data?.link ?? []
    if (
      links.some(({ type, other: of }) => type === 'replaces' && of && collection.isSame(of, other, reference, owner))
    )
      findings.hold('Patient.link', 'another patient in the message replaces this one; send the order for that one')
  }
}

const Links = Patient.pick({ link: true })

const Subject = DocumentReference.pick({ subject: true })

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
