/** The patient of an order in FHIR. Pure. */
import type * as z from 'zod'
import type { Sex, Patient as TaskPatient, Telecom } from '../../contract/task/patient.ts'
import { type Findings, listOf } from '../findings.ts'
import type { MapFile } from '../map-file.ts'
import { externalId, identifiers, type KnownNumber } from '../patient-numbers.ts'
import { isPlaceholder } from '../placeholder.ts'
import { type GivenName, usableNames } from '../usable-names.ts'
import { dayOf } from './day.ts'
import { hasAssignerAlone, isInUse } from './in-use.ts'
import type { Reading } from './reading.ts'
import type { Identifier, Patient } from './resources.ts'

export const US_SSN = 'http://hl7.org/fhir/sid/us-ssn'

export function patientFacts(patient: Patient, { map, findings, at }: Reading): TaskPatient {
  for (const [index, one] of patient.identifier.entries())
    if (hasAssignerAlone(one)) findings.warn(`Patient.identifier[${index}]`, 'does not count, because it has no system')
  const numbers = patientNumbers(patient, map, at)
  return {
    externalId: externalId(numbers, 'Patient.identifier', map, findings),
    names: usableNames(
      patient.name.flatMap((name, index) => nameOf(name, index, at)),
      'Patient.name',
      findings,
    ),
    sex: sexOf(patient.gender, map, findings),
    birthDate: dayOf('patient.birthDate', { place: 'Patient.birthDate', value: patient.birthDate }, { map, findings }),
    addresses: addresses(patient, findings, at),
    identifiers: identifiers(numbers, map, findings),
    telecoms: telecoms(patient, findings, at),
  }
}

/** Types are often missing, so the systems that are known represent theirs. */
const patientNumbers = ({ identifier }: Patient, { mrnAuthority }: MapFile, at: number): KnownNumber[] =>
  identifier.flatMap((one, index) => {
    const { type, system = '', value = '' } = one
    if (!isInUse(one, at) || value.trim() === '' || (system !== US_SSN && isPlaceholder(value))) return []
    if (hasAssignerAlone(one)) return []
    const stated = typeOf(type)
    const authorityNames = [system, system.replace(/^urn:oid:/i, '')].filter((name) => name !== '')
    const known = system === US_SSN ? 'SS' : authorityNames.includes(mrnAuthority ?? '') ? 'MR' : ''
    const place = `Patient.identifier[${index}]`
    return [{ place, value: value.trim(), authority: system, authorityNames, type: stated || known }]
  })

const TABLE_0203 = /\/v2[-/]0203$/

/** Returns the type by table 0203, where it has a code of it: a server's own codes may come before. */
function typeOf(type: Identifier['type']): string {
  const codings = type?.coding.filter(({ code }) => code) ?? []
  const [first] = codings
  return (codings.find(({ system = '' }) => TABLE_0203.test(system)) ?? first)?.code?.toUpperCase() ?? ''
}

function nameOf(name: Patient['name'][number], index: number, at: number): GivenName[] {
  if (!isInUse(name, at)) return []
  const { use = null, family = '', given } = name
  const parts = given.map((part) => part.trim()).filter((part) => part !== '')
  return [{ place: `Patient.name[${index}]`, use, family: family.trim(), given: parts }]
}

const sexes: Readonly<Record<string, Sex>> = { male: 'Male', female: 'Female', unknown: 'Unknown' }

function sexOf(gender: string | undefined, { sexOther }: MapFile, findings: Findings): Sex {
  findings.from('patient.sex', 'Patient.gender')
  const known = gender !== undefined && Object.hasOwn(sexes, gender) ? sexes[gender] : undefined
  if (known !== undefined) return known
  if (gender === undefined || gender === 'other')
    findings.warn('Patient.gender', `is sent as ${sexOther}, as sexOther of the map says`)
  else findings.hold('Patient.gender', 'is not a code of FHIR R4')
  return sexOther
}

function addresses(patient: Patient, findings: Findings, at: number): TaskPatient['addresses'] {
  const usable = patient.address.flatMap((address, index) => {
    const postalCode = address.postalCode?.trim() ?? ''
    const place = `Patient.address[${index}]`
    if (isInUse(address, at) && postalCode !== '') return [{ ...address, postalCode, place }]
    if (isInUse(address, at)) findings.warn(place, 'is not sent, because it has no postal code')
    return []
  })
  if (usable.length === 0) findings.hold('Patient.address', 'has no address with a postal code')
  const placed = usable
    .toSorted((a, b) => Number(a.use !== 'home') - Number(b.use !== 'home'))
    .map(({ place, line, city = '', state = '', postalCode }) => ({
      place,
      value: { line: line.join(', '), city, state, postalCode },
    }))
  return listOf('patient.addresses', placed, findings)
}

/** Returns the contact points with the lowest rank first, as FHIR prefers them. A fax reaches no patient. */
function telecoms({ telecom }: Patient, findings: Findings, at: number): z.infer<typeof Telecom>[] {
  const placed = telecom
    .map((contact, index) => ({ ...contact, place: `Patient.telecom[${index}]` }))
    .filter((contact) => isInUse(contact, at) && contact.value && contact.system !== 'fax')
    .toSorted((a, b) => (a.rank ?? Number.POSITIVE_INFINITY) - (b.rank ?? Number.POSITIVE_INFINITY) || 0)
    .map(({ place, system = null, value = null, use = null }) => ({ place, value: { system, value, use } }))
  return listOf('patient.telecoms', placed, findings)
}
