/** PID-5: the names of the patient. Pure. */
import { fieldOf, type Segment } from '../../hl7/message.ts'
import type { GivenName } from '../usable-names.ts'

/** Table 0200, as far as FHIR has a word for it. A name without a type is the legal one. */
const uses: Readonly<Record<string, string>> = { '': 'official', L: 'official', D: 'usual', N: 'nickname', M: 'maiden' }

/** XPN: family name with its prefix, given name, further given names, …, type. A suffix has no field in the interface. */
export const patientNames = (pid: Segment): GivenName[] =>
  fieldOf(pid, 5).map((repetition, index) => {
    const part = (number: number) => {
      const value = repetition[number - 1]?.[0]?.trim() ?? ''
      return value === '""' ? '' : value
    }
    return {
      place: `PID-5(${index + 1})`,
      use: uses[part(7).toUpperCase()] ?? null,
      family: part(1),
      given: [part(2), ...part(3).split(/\s+/)].filter((name) => name !== ''),
    }
  })
