/** PID-3 and PID-19: the numbers of a patient. PID-18 is an account, and not one of them. Pure. */
import { fieldOf, type Message, type Repetition, type Segment } from '../../hl7/message.ts'
import { valueIn } from '../../hl7/value-at.ts'
import type { Findings } from '../findings.ts'
import type { KnownNumber } from '../patient-numbers.ts'
import { authorityAt, isInUse, part, sendingFacility, unusable } from './identity.ts'

/** The numbers that count, and why others do not. */
interface PatientNumbers {
  numbers: KnownNumber[]
  notCounted: { place: string; reason: string }[]
}

/** Returns the numbers. CX: id, …, authority (4), type (5), facility (6), first and last day (7, 8). */
export function patientNumbers(message: Message, pid: Segment, findings: Findings): PatientNumbers {
  const numbers: KnownNumber[] = []
  const notCounted: PatientNumbers['notCounted'] = []
  for (const [index, repetition] of fieldOf(pid, 3).entries()) {
    const place = `PID-3(${index + 1})`
    const value = part(repetition, 1)
    if (value === '') continue
    const reason = isInUse(message, part(repetition, 7), part(repetition, 8))
      ? unusable(value, message)
      : 'is not in use on the day of the message (CX-7, CX-8)'
    const type = part(repetition, 5).toUpperCase()
    // Placeholders of Social Security Numbers are known where those are judged.
    if (reason !== null && type !== 'SS') notCounted.push({ place, reason })
    else numbers.push({ place, value, type, ...authorityOf(message, repetition, place, findings) })
  }
  const ssn = valueIn(pid, { field: 19 }).trim()
  if (ssn !== '' && ssn !== '""') numbers.push({ place: 'PID-19', value: ssn, authority: '', type: 'SS' })
  return { numbers, notCounted }
}

function authorityOf(
  message: Message,
  repetition: Repetition,
  place: string,
  findings: Findings,
): Pick<KnownNumber, 'authority' | 'authorityNames'> {
  const [own] = [4, 6].map((component) => authorityAt(repetition, component)).filter(({ key }) => key !== '')
  if (own !== undefined) return { authority: own.key, authorityNames: own.names }
  const facility = sendingFacility(message)
  if (facility.key !== '' && part(repetition, 5).toUpperCase() !== 'SS')
    findings.warn(place, 'names no authority, so the facility that sent the message (MSH-4) counts as such')
  return { authority: facility.key, authorityNames: facility.names }
}
