/** PID-5: the names of the patient. Pure. */
import { fieldOf, type Message, type Segment } from '../../hl7/message.ts'
import type { Findings } from '../findings.ts'
import type { GivenName } from '../usable-names.ts'
import { isCutShort, isInUse, part } from './identity.ts'

/** Table 0200, as far as FHIR has a word for it. A name without a type is the legal one. */
const uses: Readonly<Record<string, string>> = { '': 'official', L: 'official', D: 'usual', N: 'nickname', M: 'maiden' }

/** Pseudonyms, and names that are bad, no longer used, or not known yet. */
const NOT_A_NAME = ['S', 'BAD', 'NOUSE', 'NAV']

/**
 * Returns the names that are in use and whole. XPN: family name with its prefix, given name, further given names, …, type (7), days
 * from and to which it is in use (10 as one component, 12 and 13). A suffix has no field in the interface.
 */
export function patientNames(message: Message, pid: Segment, findings: Findings): GivenName[] {
  return fieldOf(pid, 5).flatMap((repetition, index) => {
    const place = `PID-5(${index + 1})`
    const given = [part(repetition, 2), ...part(repetition, 3).split(/\s+/)].filter((name) => name !== '')
    const family = part(repetition, 1) || `${part(repetition, 1, 2)} ${part(repetition, 1, 3)}`.trim()
    const from = part(repetition, 12) || part(repetition, 10)
    const until = part(repetition, 13) || part(repetition, 10, 2)
    if (!isInUse(message, from, until)) {
      findings.warn(place, 'omitted, because the name is not in use on the day of the message')
      return []
    }
    const type = part(repetition, 7).toUpperCase()
    if (NOT_A_NAME.includes(type)) {
      findings.warn(place, `omitted, because names of the type ${type} are not those of the patient`)
      return []
    }
    if ([family, ...given].some((name) => isCutShort(name, message))) {
      findings.warn(place, 'omitted, because the name was cut short')
      return []
    }
    return [{ place, use: uses[type] ?? null, family, given }]
  })
}
