/** How a sandbox matches patients when a test wants no manual review, or one of every patient. Pure. */
import type { Patient } from '../../../lib/contract/task/patient.ts'
import { type KnownPatient, matchPatient, type PatientMatch } from './matching.ts'

/** Takes the sender's word for who a patient is: one with a known id is that patient, and any other is new. */
export function matchWithoutReview(
  sent: Patient,
  sameExternalId: KnownPatient | null,
  sameDemographics: readonly KnownPatient[],
): PatientMatch {
  const match = matchPatient(sent, sameExternalId, sameDemographics)
  if (match.outcome !== 'review') return match
  return sameExternalId ? { outcome: 'known', patientId: sameExternalId.id } : { outcome: 'new' }
}

/** Leaves every patient to a person, those who are known beyond doubt included. */
export function reviewAnyPatient(
  _sent: Patient,
  sameExternalId: KnownPatient | null,
  sameDemographics: readonly KnownPatient[],
): PatientMatch {
  const candidates = [...(sameExternalId ? [sameExternalId] : []), ...sameDemographics]
  return {
    outcome: 'review',
    reason: 'The sender has set this sandbox to review every patient: a person must decide who the patient is',
    candidateIds: [...new Set(candidates.map(({ id }) => id))],
  }
}
