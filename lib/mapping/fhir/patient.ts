/** The patient of an order in FHIR. Pure. */
import type * as z from 'zod'
import type { Sex, Patient as TaskPatient, Telecom } from '../../contract/task/patient.ts'
import type { Findings } from '../findings.ts'
import type { MapFile } from '../map-file.ts'
import { externalId, identifiers, type KnownNumber } from '../patient-numbers.ts'
import { usableNames } from '../usable-names.ts'
import { dayOf } from './day.ts'
import type { Identifier, Patient } from './resources.ts'

export const US_SSN = 'http://hl7.org/fhir/sid/us-ssn'

export function patientFacts(patient: Patient, map: MapFile, findings: Findings): TaskPatient {
  const numbers = patientNumbers(patient, map)
  return {
    externalId: externalId(numbers, 'Patient.identifier', map, findings),
    names: usableNames(patient.name.filter(isInUse).map(nameOf), 'Patient.name', findings),
    sex: sexOf(patient.gender, map, findings),
    birthDate: dayOf('Patient.birthDate', patient.birthDate, findings),
    addresses: addresses(patient, findings),
    identifiers: identifiers(numbers, map, findings),
    telecoms: telecoms(patient),
  }
}

/** Types are often missing, so the systems that are known stand for theirs. */
const patientNumbers = ({ identifier }: Patient, { mrnAuthority }: MapFile): KnownNumber[] =>
  identifier.flatMap(({ use, type, system = '', value = '' }, index) => {
    if (use === 'old' || value.trim() === '') return []
    const stated = typeOf(type)
    const known = system === US_SSN ? 'SS' : system !== '' && system === mrnAuthority ? 'MR' : ''
    return [{ place: `Patient.identifier[${index}]`, value: value.trim(), authority: system, type: stated || known }]
  })

const TABLE_0203 = /\/v2[-/]0203$/

/** By table 0203, where the type has a code of it: a server's own codes may stand before that. */
function typeOf(type: Identifier['type']): string {
  const codings = type?.coding.filter(({ code }) => code) ?? []
  const [first] = codings
  return (codings.find(({ system = '' }) => TABLE_0203.test(system)) ?? first)?.code?.toUpperCase() ?? ''
}

/** A period that has ended, or a use that says so. */
const isInUse = ({
  use,
  period,
}: {
  use?: string | undefined
  period?: { end?: string | undefined } | undefined
}): boolean => use !== 'old' && period?.end === undefined

const nameOf = ({ use, family, given }: Patient['name'][number], index: number) => ({
  place: `Patient.name[${index}]`,
  use: use ?? null,
  family: family?.trim() ?? '',
  given: given.map((name) => name.trim()).filter((name) => name !== ''),
})

const sexes: Readonly<Record<string, Sex>> = { male: 'Male', female: 'Female', unknown: 'Unknown' }

function sexOf(gender: string | undefined, { sexOther }: MapFile, findings: Findings): Sex {
  const known = gender !== undefined && Object.hasOwn(sexes, gender) ? sexes[gender] : undefined
  if (known !== undefined) return known
  if (gender === undefined || gender === 'other')
    findings.warn('Patient.gender', `sent as ${sexOther}, as the map says`)
  else findings.hold('Patient.gender', 'a code that FHIR does not have')
  return sexOther
}

function addresses(patient: Patient, findings: Findings): TaskPatient['addresses'] {
  const usable = patient.address.flatMap((address, index) => {
    const postalCode = address.postalCode?.trim() ?? ''
    if (isInUse(address) && postalCode !== '') return [{ ...address, postalCode }]
    if (isInUse(address)) findings.warn(`Patient.address[${index}]`, 'left out, because it has no postal code')
    return []
  })
  if (usable.length === 0) findings.hold('Patient.address', 'no address with a postal code')
  return usable
    .toSorted((a, b) => Number(a.use !== 'home') - Number(b.use !== 'home'))
    .map(({ line, city = '', state = '', postalCode }) => ({ line: line.join(', '), city, state, postalCode }))
}

/** Those with the lowest rank first, as FHIR prefers them. A fax reaches no patient. */
const telecoms = ({ telecom }: Patient): z.infer<typeof Telecom>[] =>
  telecom
    .filter((contact) => isInUse(contact) && contact.value && contact.system !== 'fax')
    .toSorted((a, b) => (a.rank ?? Number.POSITIVE_INFINITY) - (b.rank ?? Number.POSITIVE_INFINITY) || 0)
    .map(({ system, value, use }) => ({ system: system ?? null, value: value ?? null, use: use ?? null }))
