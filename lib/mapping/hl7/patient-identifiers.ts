/** PID-3 and PID-19: by which numbers a patient is known. Pure. */
import type { PatientIdentifier } from '../../contract/task/patient.ts'
import { fieldOf, type Segment } from '../../hl7/message.ts'
import { valueIn } from '../../hl7/value-at.ts'
import type { Findings } from '../findings.ts'
import type { MapFile } from '../map-file.ts'

interface Identifier {
  place: string
  id: string
  authority: string
  type: string
}

/** Returns the sender's id of the patient, `authority|id`, with leading zeros. PID-18 is an account, and never an id. */
export function externalId(pid: Segment, map: MapFile, findings: Findings): string {
  const chosen = recordNumber(pid, map, findings)
  if (chosen === null) return ''
  if (chosen.authority === '')
    findings.warn(chosen.place, 'names no authority, so the number alone is the id of the patient')
  return chosen.authority === '' ? chosen.id : `${chosen.authority}|${chosen.id}`
}

/** Returns the medical record number and what may be sent of the Social Security Number. */
export function identifiers(pid: Segment, map: MapFile, findings: Findings): PatientIdentifier[] {
  return [...mrn(pid, map, findings), ...ssn(pid, map, findings)]
}

function mrn(pid: Segment, map: MapFile, findings: Findings): PatientIdentifier[] {
  const record = ofType(pid, 'MR').find(({ authority }) => isWanted(authority, map))
  if (record === undefined) return []
  const value = record.id.replaceAll(/[^A-Za-z0-9]/g, '')
  if (value.length < 6 || value.length > 10) {
    findings.warn(record.place, 'left out as medical record number, which has 6 to 10 letters and digits')
    return []
  }
  if (value !== record.id) findings.warn(record.place, 'the medical record number is sent without punctuation')
  return [{ authority: 'mrn', value }]
}

/** Numbers that many share because a form demanded one. */
const PLACEHOLDER = /^(?:000|666|9)|^123456789$|^(\d)\1{8}$/
const LAST_FOUR = /^[X*#]{3}-?[X*#]{2}-?(\d{4})$/i

function ssn(pid: Segment, { ssn: setting }: MapFile, findings: Findings): PatientIdentifier[] {
  const [inList] = ofType(pid, 'SS')
  const own = valueIn(pid, { field: 19 })
  const given = inList ?? (own === '' || own === '""' ? undefined : { place: 'PID-19', id: own })
  if (given === undefined || setting === 'never') return []
  const [, masked] = LAST_FOUR.exec(given.id) ?? []
  if (masked) return [{ authority: 'ssn4', value: masked }]
  const digits = given.id.replaceAll('-', '')
  if (!/^\d{9}$/.test(digits) || PLACEHOLDER.test(digits)) {
    findings.warn(given.place, 'left out, because it is no Social Security Number of one person')
    return []
  }
  return [setting === 'full' ? { authority: 'ssn', value: digits } : { authority: 'ssn4', value: digits.slice(-4) }]
}

/** Returns the medical record number that counts, else the patient's internal id; null when there is none, or no telling which. */
function recordNumber(pid: Segment, map: MapFile, findings: Findings): Identifier | null {
  const wanted = ofType(pid, 'MR').filter(({ authority }) => isWanted(authority, map))
  const known = wanted.length > 0 ? wanted : ofType(pid, 'PI')
  const [first] = known
  if (first === undefined) {
    findings.hold('PID-3', 'no id of the type MR, or PI, of the authority that counts')
    return null
  }
  if (known.some(({ id, authority }) => id !== first.id || authority !== first.authority)) {
    findings.hold('PID-3', 'several ids of one type; name the authority that counts as mrnAuthority')
    return null
  }
  return first
}

const isWanted = (authority: string, { mrnAuthority }: MapFile): boolean =>
  mrnAuthority === undefined || authority === mrnAuthority

/** CX: id, …, assigning authority, type. */
const ofType = (pid: Segment, type: string): Identifier[] =>
  fieldOf(pid, 3)
    .map((repetition, index) => ({
      place: `PID-3(${index + 1})`,
      id: repetition[0]?.[0]?.trim() ?? '',
      authority: repetition[3]?.[0]?.trim() ?? '',
      type: repetition[4]?.[0]?.trim().toUpperCase() ?? '',
    }))
    .filter((identifier) => identifier.type === type && identifier.id !== '' && identifier.id !== '""')
