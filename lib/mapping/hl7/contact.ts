/** PID-11, 13, 14 and 40: where a patient lives, and how he is reached. Pure. */

import type * as z from 'zod'
import type { Patient, Telecom } from '../../contract/task/patient.ts'
import { fieldOf, type Message, type Repetition, type Segment } from '../../hl7/message.ts'
import { type Findings, listOf } from '../findings.ts'
import { isCutShort, isInUse, part } from './identity.ts'

/** Why an address or a number is omitted; null when it is in use and whole. */
function reasonAgainst(message: Message, repetition: Repetition, from: string, until: string): string | null {
  if (!isInUse(message, from, until)) return 'omitted, because it is not in use on the day of the message'
  const isCut = repetition.flat().some((value) => isCutShort(value, message))
  return isCut ? 'omitted, because it was cut short' : null
}

/** Returns the addresses that have a postal code, that of the home first. Holds the message when there is none: none is made up. */
export function addresses(message: Message, pid: Segment, findings: Findings): Patient['addresses'] {
  const usable = fieldOf(pid, 11).flatMap((repetition, index) => {
    const place = `PID-11(${index + 1})`
    const type = part(repetition, 7).toUpperCase()
    // Table 0190: a bad address.
    if (type === 'BA') return []
    // XAD-12 has both days until version 2.6.
    const [from, until] = [
      part(repetition, 13) || part(repetition, 12),
      part(repetition, 14) || part(repetition, 12, 2),
    ]
    const reason = reasonAgainst(message, repetition, from, until)
    if (reason !== null) {
      findings.warn(place, reason)
      return []
    }
    const postalCode = part(repetition, 5)
    if (postalCode !== '') return [{ type, place, value: addressOf(repetition, postalCode) }]
    if (repetition.flat().some((value) => value !== ''))
      findings.warn(place, 'is not sent, because it has no postal code')
    return []
  })
  if (usable.length === 0) findings.hold('PID-11', 'has no address with a postal code')
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

/** Returns phones and e-mail addresses; what holds neither is omitted. */
export function telecoms(message: Message, pid: Segment, findings: Findings): z.infer<typeof Telecom>[] {
  const placed = [13, 14, 40].flatMap((number) =>
    fieldOf(pid, number).flatMap((repetition, index) => {
      const value = telecomOf(repetition)
      if (value === null) return []
      const place = `PID-${number}(${index + 1})`
      const reason = reasonAgainst(message, repetition, part(repetition, 13), part(repetition, 14))
      if (reason !== null) findings.warn(place, reason)
      return reason === null ? [{ place, value }] : []
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
