/** Labels a patient with what distinguishes one from another. Pure. */
import type { Patient } from '../../../lib/contract/task/patient.ts'

export interface ShownPatient {
  name: string
  /** YYYY-MM-DD */
  birthDate: string
  sex: string
  /** Medical record number, null when the sender gave none. */
  mrn: string | null
}

export function shownPatient({ names, birthDate, sex, identifiers }: Patient): ShownPatient {
  const [name] = names
  const mrn = identifiers?.find(({ authority }) => authority === 'mrn')?.value ?? null
  return { name: [...(name?.given ?? []), name?.family ?? ''].join(' '), birthDate, sex, mrn }
}
