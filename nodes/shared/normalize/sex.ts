/** Reads a sex as other systems write it. Pure. What is not in the table stays as it is, for the contract to refuse by name. */
import type { Sex } from '../../../lib/contract/task/patient.ts'

/** Letters of HL7 and words, in lower case. "Other" is none of them: only the sender knows what the host should be told. */
const SEXES: Readonly<Record<string, Sex>> = {
  f: 'Female',
  female: 'Female',
  m: 'Male',
  male: 'Male',
  u: 'Unknown',
  unknown: 'Unknown',
  a: 'Ambiguous',
  ambiguous: 'Ambiguous',
}

/** Returns the word of the interface for a letter or a word in any case. */
export function sexOf(given: unknown): unknown {
  if (typeof given !== 'string') return given
  const known = given.trim().toLowerCase()
  return Object.hasOwn(SEXES, known) ? SEXES[known] : given
}
