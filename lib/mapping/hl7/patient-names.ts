/** PID-5: the names of the patient. Pure. */
import type { Patient } from '../../contract/task/patient.ts'
import { fieldOf, type Repetition, type Segment } from '../../hl7/message.ts'
import type { Findings } from '../findings.ts'

type Name = Patient['names'][number]

/** Table 0200, as far as FHIR has a word for it. An empty type is a legal name. */
const uses: Readonly<Record<string, string>> = { '': 'official', L: 'official', D: 'usual', N: 'nickname', M: 'maiden' }

/** What is written where nobody has given a name yet. */
const NO_NAME =
  /^(baby|infant|newborn|unknown|test)?[\s,-]*(boy|girl|male|female|baby|infant|newborn|unknown)?[\s,-]*[a-z]?$/i

/** Returns the names, legal ones first. Holds the message when none of them has both parts. */
export function patientNames(pid: Segment, findings: Findings): Name[] {
  const names = fieldOf(pid, 5).flatMap((repetition, index) => {
    const place = `PID-5(${index + 1})`
    const name = nameOf(repetition)
    const missing = [...(name.family === '' ? ['family name'] : []), ...(name.given.length === 0 ? ['given name'] : [])]
    if (missing.length === 0) return [{ ...name, place }]
    if (missing.length < 2) findings.warn(place, `left out, because it has no ${missing[0]}`)
    return []
  })
  const [first, ...others] = names.toSorted((a, b) => Number(a.use !== 'official') - Number(b.use !== 'official'))
  if (first === undefined) {
    findings.hold('PID-5', 'no name with a family name and a given name')
    return []
  }
  if (first.given.every((given) => NO_NAME.test(given)))
    findings.hold(first.place, 'a stand-in for a given name, which would be matched with other patients')
  return [first, ...others].map(({ place: _, ...name }) => name)
}

/** XPN: family name with its prefix, given name, further given names, …, type. A suffix has no field in the interface. */
function nameOf(repetition: Repetition): { use: string | null; family: string; given: string[] } {
  const part = (number: number) => repetition[number - 1]?.[0]?.trim() ?? ''
  const given = [part(2), ...part(3).split(/\s+/)].filter((name) => name !== '' && name !== '""')
  return { use: uses[part(7).toUpperCase()] ?? null, family: part(1) === '""' ? '' : part(1), given }
}
