/** Whether the patient of a create is known already. Pure. choice: Matching a patient */
import type { Patient } from '../../../lib/contract/task/patient.ts'
import { foldName } from '../../../lib/name-fold.ts'

export interface KnownPatient {
  id: number
  patient: Patient
}

export type PatientMatch =
  | { outcome: 'known'; patientId: number }
  | { outcome: 'new' }
  /** A person must decide: same as one of the candidates, or new. */
  | { outcome: 'review'; reason: string; candidateIds: readonly number[] }

/**
 * `sameExternalId` is the organization's patient with the sender's id; `sameDemographics` are its patients with the same
 * family name, first given name, birth date and sex.
 */
export function matchPatient(
  sent: Patient,
  sameExternalId: KnownPatient | null,
  sameDemographics: readonly KnownPatient[],
): PatientMatch {
  if (sameExternalId) {
    const { id, patient } = sameExternalId
    const isSomebodyElse = foldName(family(patient)) !== foldName(family(sent)) && patient.birthDate !== sent.birthDate
    return isSomebodyElse
      ? review('The patient id is known with another family name and birth date', [id])
      : { outcome: 'known', patientId: id }
  }
  const agreeing = sameDemographics.find(({ patient }) => sharesIdentifier(patient, sent))
  if (agreeing) return { outcome: 'known', patientId: agreeing.id }
  if (sameDemographics.length > 0)
    return review(
      'A patient with the same name, birth date and sex is known under another id, and no identifier agrees',
      sameDemographics.map(({ id }) => id),
    )
  const isSexVague = sent.sex === 'Unknown' || sent.sex === 'Ambiguous'
  if (isSexVague && !sent.identifiers?.length) return review(`The sex is ${sent.sex} and there is no identifier`, [])
  return { outcome: 'new' }
}

/** Returns the key that two patients must share to be compared as perhaps the same person; indexed by the store. */
export const demographicKey = (patient: Patient): string =>
  [family(patient), patient.names[0]?.given[0] ?? '', patient.birthDate, patient.sex].map(foldName).join('|')

function review(reason: string, candidateIds: readonly number[]): PatientMatch {
  return { outcome: 'review', reason: `${reason}: a person must decide who the patient is`, candidateIds }
}

function sharesIdentifier(a: Patient, b: Patient): boolean {
  const known = new Set(a.identifiers?.map(identity))
  return b.identifiers?.some((identifier) => known.has(identity(identifier))) ?? false
}

const identity = ({ authority, value }: { authority: string; value: string }) =>
  `${authority}|${value.replaceAll('-', '').toUpperCase()}`

const family = (patient: Patient) => patient.names[0]?.family ?? ''
