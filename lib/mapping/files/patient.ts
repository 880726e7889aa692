/** The patient of an index. Pure. */
import type { Sex, Patient as TaskPatient } from '../../contract/task/patient.ts'
import { type Findings, listOf } from '../findings.ts'
import type { MapFile } from '../map-file.ts'
import { externalId, identifiers, type KnownNumber } from '../patient-numbers.ts'
import { isPlaceholder } from '../placeholder.ts'
import { usableNames } from '../usable-names.ts'
import { dayOf } from './day.ts'
import type { Index } from './read-index.ts'

export function patientFacts(index: Index, map: MapFile, findings: Findings): TaskPatient {
  const numbers = patientNumbers(index, map)
  return {
    externalId: externalId(numbers, index('patientId').place, map, findings),
    names: names(index, findings),
    sex: sexOf(index, map, findings),
    birthDate: dayOf('patient.birthDate', index('birthDate'), map, findings),
    addresses: addresses(index, findings),
    identifiers: identifiers(numbers, map, findings),
    telecoms: telecoms(index, findings),
  }
}

/** An index has one id of the patient, of the type and, unless it names another one, of the authority that count in the map. */
function patientNumbers(index: Index, { mrnAuthority = '', patientIdTypes }: MapFile): KnownNumber[] {
  const authority = index('patientIdAuthority').value || mrnAuthority
  return [
    { ...index('patientId'), authority, type: patientIdTypes[0]! },
    { ...index('ssn'), authority: '', type: 'SS' },
  ].filter(({ value, type }) => value !== '' && (type === 'SS' || !isPlaceholder(value)))
}

function names(index: Index, findings: Findings): TaskPatient['names'] {
  const { place, value: family } = index('family')
  const given = index('given')
    .value.split(/\s+/)
    .filter((name) => name !== '')
  return usableNames([{ place, use: 'official', family, given }], place, findings)
}

const sexes: Readonly<Record<string, Sex>> = {
  M: 'Male',
  MALE: 'Male',
  F: 'Female',
  FEMALE: 'Female',
  U: 'Unknown',
  UNKNOWN: 'Unknown',
  A: 'Ambiguous',
  AMBIGUOUS: 'Ambiguous',
}

function sexOf(index: Index, { sexOther }: MapFile, findings: Findings): Sex {
  const { place, value } = index('sex')
  findings.from('patient.sex', place)
  const code = value.toUpperCase()
  if (Object.hasOwn(sexes, code)) return sexes[code]!
  if (['', 'O', 'OTHER', 'N', 'X'].includes(code))
    findings.warn(place, `is sent as ${sexOther}, as sexOther of the map says`)
  else findings.hold(place, 'is not one of M, F, U, A, O, or their words')
  return sexOther
}

/** States whose postal codes begin with a zero, which spreadsheets omit. */
const WITH_ZERO = ['CT', 'MA', 'ME', 'NH', 'NJ', 'RI', 'VT', 'PR', 'VI']

function addresses(index: Index, findings: Findings): TaskPatient['addresses'] {
  const { place, value: postalCode } = index('postalCode')
  const state = index('state').value
  if (postalCode === '') findings.hold(place, 'is empty; the postal code of the patient is required')
  else if (/^\d{3,4}(?:-\d{4})?$/.test(postalCode) && WITH_ZERO.includes(state.toUpperCase()))
    findings.hold(place, 'is a postal code whose zero at the beginning was lost; format the column as text')
  const value = {
    line: index('street').value,
    city: index('city').value,
    state,
    postalCode,
  }
  return listOf('patient.addresses', [{ place, value }], findings)
}

function telecoms(index: Index, findings: Findings): TaskPatient['telecoms'] {
  const { place, value } = index('phone')
  return listOf(
    'patient.telecoms',
    value === '' ? [] : [{ place, value: { system: 'phone', value, use: null } }],
    findings,
  )
}
