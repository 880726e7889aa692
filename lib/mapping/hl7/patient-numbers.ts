/** PID-3 and PID-19: the numbers of a patient. PID-18 is an account, and none of them. Pure. */
import { fieldOf, type Segment } from '../../hl7/message.ts'
import { valueIn } from '../../hl7/value-at.ts'
import type { KnownNumber } from '../patient-numbers.ts'

/** CX: id, …, assigning authority, type. */
export function patientNumbers(pid: Segment): KnownNumber[] {
  const listed = fieldOf(pid, 3).map((repetition, index) => ({
    place: `PID-3(${index + 1})`,
    value: repetition[0]?.[0]?.trim() ?? '',
    authority: repetition[3]?.[0]?.trim() ?? '',
    type: repetition[4]?.[0]?.trim().toUpperCase() ?? '',
  }))
  const ssn = { place: 'PID-19', value: valueIn(pid, { field: 19 }).trim(), authority: '', type: 'SS' }
  return [...listed, ssn].filter(({ value }) => value !== '' && value !== '""')
}
