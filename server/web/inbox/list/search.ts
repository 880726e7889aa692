/** Whether a document matches what the signer searches for. Pure. */
import type { Waiting } from '../../../operations/signer/messages.ts'
import { calendarDate } from '../../shared/format.ts'

/** A document matches when it has all words of the search. */
export function matches({ patient, documentType, clinicalDate, sender }: Waiting, search: string): boolean {
  const { name, birthDate, mrn } = patient
  const text = folded([name, birthDate, mrn, documentType, clinicalDate, calendarDate(clinicalDate), sender].join(' '))
  return folded(search)
    .split(/\s+/)
    .every((word) => text.includes(word))
}

/** Without case and accents, so that `nunez` finds Núñez. */
const folded = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
