/** How lists of the console show patients, by a setting of the service. Pure. */
import type { Patient } from '../../../lib/contract/task/patient.ts'

export const PATIENTS_IN_LISTS = ['full', 'initials', 'hidden'] as const
export type PatientsInLists = (typeof PATIENTS_IN_LISTS)[number]

/** The label of a patient in a list. */
export interface PatientLabel {
  name: string
  /** YYYY-MM-DD; null where only initials are shown. */
  birthDate: string | null
}

/** Returns null where nothing is shown. */
export function patientLabel(patient: Patient, how: PatientsInLists): PatientLabel | null {
  const [name] = patient.names
  if (how === 'hidden' || !name) return null
  if (how === 'full') return { name: [...name.given, name.family].join(' '), birthDate: patient.birthDate }
  const initial = (text: string | undefined) => (text?.trim() ? `${[...text.trim()][0]!.toLocaleUpperCase('en')}.` : '')
  return { name: `${initial(name.given[0])} ${initial(name.family)}`.trim(), birthDate: null }
}
