/** PID-11, 13, 14 and 40: where a patient lives, and how he is reached. Pure. */

import type * as z from 'zod'
import type { Patient, Telecom } from '../../contract/task/patient.ts'
import { fieldOf, type Repetition, type Segment } from '../../hl7/message.ts'
import { type Findings, listOf } from '../findings.ts'

const part = (repetition: Repetition, number: number): string => {
  const value = repetition[number - 1]?.[0]?.trim() ?? ''
  return value === '""' ? '' : value
}

/** Returns the addresses that have a postal code, that of the home first. Holds the message when there is none: none is made up. */
export function addresses(pid: Segment, findings: Findings): Patient['addresses'] {
  const usable = fieldOf(pid, 11).flatMap((repetition, index) => {
    const place = `PID-11(${index + 1})`
    const type = part(repetition, 7).toUpperCase()
    // Table 0190: a bad address.
    if (type === 'BA') return []
    const postalCode = part(repetition, 5)
    if (postalCode !== '') return [{ type, place, value: addressOf(repetition, postalCode) }]
    if (repetition.flat().some((value) => value !== '')) findings.warn(place, 'left out, because it has no postal code')
    return []
  })
  if (usable.length === 0) findings.hold('PID-11', 'no address with a postal code')
  const homeFirst = usable.toSorted((a, b) => Number(a.type !== 'H') - Number(b.type !== 'H'))
  return listOf('patient.addresses', homeFirst, findings)
}

const addressOf = (repetition: Repetition, postalCode: string): Patient['addresses'][number] => ({
  line: [part(repetition, 1), part(repetition, 2)].filter((line) => line !== '').join(', '),
  city: part(repetition, 3),
  state: part(repetition, 4),
  postalCode,
})

/** Table 0201. */
const uses: Readonly<Record<string, string>> = { PRN: 'home', PRS: 'mobile', ORN: 'home', VHN: 'home', WPN: 'work' }

/** Returns phones and e-mail addresses; what holds neither is left out. */
export function telecoms(pid: Segment, findings: Findings): z.infer<typeof Telecom>[] {
  const placed = [13, 14, 40].flatMap((number) =>
    fieldOf(pid, number).flatMap((repetition, index) => {
      const value = telecomOf(repetition)
      return value === null ? [] : [{ place: `PID-${number}(${index + 1})`, value }]
    }),
  )
  return listOf('patient.telecoms', placed, findings)
}

/** XTN: number as text, use, equipment, e-mail address, country, area, local number, extension, …, the whole number since 2.7. */
function telecomOf(repetition: Repetition): z.infer<typeof Telecom> | null {
  const [use, equipment] = [part(repetition, 2).toUpperCase(), part(repetition, 3).toUpperCase()]
  if (use === 'NET' || equipment === 'INTERNET') {
    const value = part(repetition, 4) || part(repetition, 1)
    return value === '' ? null : { system: 'email', value }
  }
  const pieces = [5, 6, 7].map((number) => part(repetition, number)).filter((piece) => piece !== '')
  const value = part(repetition, 1) || part(repetition, 12) || pieces.join('-')
  if (value === '') return null
  const system = equipment === 'FX' ? 'fax' : 'phone'
  return { system, value, use: equipment === 'CP' ? 'mobile' : (uses[use] ?? null) }
}
