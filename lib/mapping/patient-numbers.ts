/** Chooses a patient's id among several numbers, and the numbers that may be sent. Pure. */
import type { PatientIdentifier } from '../contract/task/patient.ts'
import { type Findings, listOf, type Placed } from './findings.ts'
import type { MapFile } from './map-file.ts'

/** A number as it came, and where it stood. */
export interface KnownNumber {
  place: string
  value: string
  /** Who gave it; empty when no one says. */
  authority: string
  /** The other texts by which a map may name the authority. */
  authorityNames?: readonly string[]
  /** The type of table 0203: `MR`, `PI`, `SS`; empty when the message does not say. */
  type: string
}

/** Returns the sender's id of the patient, `authority|value`, with leading zeros; an empty text when the message is held. */
export function externalId(numbers: readonly KnownNumber[], all: string, map: MapFile, findings: Findings): string {
  const known = idsThatCount(numbers, map)
  const [first] = known
  if (first === undefined) {
    const types = [...new Set(numbers.map(({ type }) => type || 'untyped'))].filter((type) => /^\w{1,8}$/.test(type))
    const there = types.length === 0 ? '' : `; the types there are ${types.join(', ')}`
    findings.hold(
      all,
      `has no id of the type ${map.patientIdTypes.join(', or ')}, from the authority in mrnAuthority${there}`,
    )
    return ''
  }
  if (known.some(({ value, authority }) => value !== first.value || authority !== first.authority)) {
    findings.hold(all, 'has several ids of one type; set mrnAuthority in the map')
    return ''
  }
  findings.from('patient.externalId', first.place)
  if (first.authority !== '') return `${first.authority}|${first.value}`
  findings.warn(first.place, 'has no authority, so the number alone identifies the patient')
  // A bar would make it the id of another authority.
  return first.value.replaceAll('|', '\\F\\')
}

/**
 * Returns the numbers of the first type that the message has; of medical record numbers, only those of the authority that
 * counts.
 */
function idsThatCount(numbers: readonly KnownNumber[], map: MapFile): readonly KnownNumber[] {
  const ofEach = map.patientIdTypes.map((type) =>
    ofType(numbers, type).filter((number) => type !== 'MR' || isWanted(number, map)),
  )
  return ofEach.find((found) => found.length > 0) ?? []
}

/** Returns the medical record number, and what may be sent of the Social Security Number. */
export const identifiers = (numbers: readonly KnownNumber[], map: MapFile, findings: Findings): PatientIdentifier[] =>
  listOf(
    'patient.identifiers',
    [...recordNumber(numbers, map, findings), ...socialSecurity(numbers, map, findings)],
    findings,
  )

function recordNumber(numbers: readonly KnownNumber[], map: MapFile, findings: Findings): Placed<PatientIdentifier>[] {
  const record = ofType(numbers, 'MR').find((number) => isWanted(number, map))
  if (record === undefined) return []
  const value = record.value.replaceAll(/[^A-Za-z0-9]/g, '')
  if (value.length < 6 || value.length > 10) {
    findings.warn(record.place, 'is not sent as a medical record number, which has 6 to 10 letters and digits')
    return []
  }
  if (value !== record.value) findings.warn(record.place, 'is sent without punctuation')
  return [{ place: record.place, value: { authority: 'mrn', value } }]
}

/** Numbers that many share because a form demanded one. */
const PLACEHOLDER = /^(?:000|666|9)|^123456789$|^(\d)\1{8}$/
const LAST_FOUR = /^[X*#]{3}-?[X*#]{2}-?(\d{4})$/i

function socialSecurity(
  numbers: readonly KnownNumber[],
  { ssn: setting }: MapFile,
  findings: Findings,
): Placed<PatientIdentifier>[] {
  const [given] = ofType(numbers, 'SS')
  if (given === undefined || setting === 'never') return []
  const { place } = given
  const [, masked] = LAST_FOUR.exec(given.value) ?? []
  if (masked) return [{ place, value: { authority: 'ssn4', value: masked } }]
  const digits = given.value.replaceAll('-', '')
  if (!/^\d{9}$/.test(digits) || PLACEHOLDER.test(digits)) {
    findings.warn(place, 'is not sent, because it is not a valid Social Security Number')
    return []
  }
  const isFull = setting === 'full'
  return [
    { place, value: isFull ? { authority: 'ssn', value: digits } : { authority: 'ssn4', value: digits.slice(-4) } },
  ]
}

const isWanted = ({ authority, authorityNames = [] }: KnownNumber, { mrnAuthority }: MapFile): boolean =>
  mrnAuthority === undefined || authority === mrnAuthority || authorityNames.includes(mrnAuthority)

const ofType = (numbers: readonly KnownNumber[], wanted: string): KnownNumber[] =>
  numbers.filter(({ type }) => type === (wanted === 'untyped' ? '' : wanted))
