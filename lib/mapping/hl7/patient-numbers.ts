/** PID-3 and PID-19: the numbers of a patient. PID-18 is an account, and not one of them. Pure. */
import { fieldOf, type Message, type Repetition, type Segment, segmentsOf } from '../../hl7/message.ts'
import { valueIn } from '../../hl7/value-at.ts'
import type { Findings } from '../findings.ts'
import type { KnownNumber } from '../patient-numbers.ts'
import { type Authority, authorityIn, idIn, isInUse, part, qualified, sendingFacility, unusable } from './identity.ts'

/** The numbers that count, and why others do not. */
interface PatientNumbers {
  numbers: KnownNumber[]
  notCounted: { place: string; reason: string }[]
}

/** Returns the numbers. CX: id, …, authority (4), type (5), facility (6), first and last day (7, 8), jurisdiction (9), agency (10). */
export function patientNumbers(message: Message, pid: Segment, findings: Findings): PatientNumbers {
  const numbers: KnownNumber[] = []
  const notCounted: PatientNumbers['notCounted'] = []
  const merged = mergedNumbers(message)
  for (const [index, repetition] of fieldOf(pid, 3).entries()) {
    const place = `PID-3(${index + 1})`
    const value = idIn(repetition)
    if (value === '') continue
    const type = part(repetition, 5).toUpperCase()
    const authority = authorityOf(message, repetition)
    const reason = reasonAgainst(message, repetition, merged)
    // Placeholders of Social Security Numbers are known where those are judged.
    if (reason !== null && type !== 'SS') notCounted.push({ place, reason })
    else {
      if (assignerOf(repetition).key === '' && authority.key !== '' && type !== 'SS')
        findings.warn(place, 'names no authority, so the facility that sent the message (MSH-4) counts as such')
      numbers.push({ place, value, type, authority: authority.key, authorityNames: authority.names })
    }
  }
  const ssn = valueIn(pid, { field: 19 }).trim()
  if (ssn !== '' && ssn !== '""') numbers.push({ place: 'PID-19', value: ssn, authority: '', type: 'SS' })
  return { numbers, notCounted }
}

function reasonAgainst(message: Message, repetition: Repetition, merged: ReadonlySet<string>): string | null {
  const authority = authorityOf(message, repetition)
  if (!isInUse(message, part(repetition, 7), part(repetition, 8)))
    return 'is not in use on the day of the message (CX-7, CX-8)'
  if (merged.has(qualified(authority, idIn(repetition)))) return 'was merged into another (MRG-1)'
  return unusable(idIn(repetition), authority, message)
}

/** Returns the numbers that a merge has ended. */
const mergedNumbers = (message: Message): ReadonlySet<string> =>
  new Set(
    segmentsOf(message, 'MRG')
      .flatMap((segment) => fieldOf(segment, 1))
      .filter((repetition) => idIn(repetition) !== '')
      .map((repetition) => qualified(authorityOf(message, repetition), idIn(repetition))),
  )

function authorityOf(message: Message, repetition: Repetition): Authority {
  const assigner = assignerOf(repetition)
  return assigner.key === '' ? sendingFacility(message) : assigner
}

/** Returns the authority (4) that the number names, else the facility (6), the agency (10) or the jurisdiction (9). */
const assignerOf = (repetition: Repetition): Authority => authorityIn(repetition, [4, 6, 10, 9])
