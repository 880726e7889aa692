/** PID-8, table 0001. Pure. */
import type { Sex } from '../../contract/task/patient.ts'
import type { Segment } from '../../hl7/message.ts'
import { valueIn } from '../../hl7/value-at.ts'
import type { Findings } from '../findings.ts'
import type { MapFile } from '../map-file.ts'

const sexes: Readonly<Record<string, Sex>> = { M: 'Male', F: 'Female', U: 'Unknown', A: 'Ambiguous' }

/** Returns the sex; for O, N, X and an empty field what the map says. Holds the message for any other code. */
export function sexOf(pid: Segment, { sexOther }: MapFile, findings: Findings): Sex {
  findings.from('patient.sex', 'PID-8')
  const code = valueIn(pid, { field: 8 }).trim().toUpperCase()
  const known = Object.hasOwn(sexes, code) ? sexes[code] : undefined
  if (known !== undefined) return known
  if (['', '""', 'O', 'N', 'X'].includes(code))
    findings.warn('PID-8', `is sent as ${sexOther}, as sexOther of the map says`)
  else findings.hold('PID-8', 'a code that table 0001 does not have')
  return sexOther
}
