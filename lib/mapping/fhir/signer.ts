/** Who signs an order in FHIR, and where. Pure. */
import { judgeSigner } from '../npi.ts'
import { isPlaceholder } from '../placeholder.ts'
import { hasAssignerAlone, isInUse } from './in-use.ts'
import type { Reading } from './reading.ts'
import { type Identifier, Organization, Practitioner, PractitionerRole, type Reference } from './resources.ts'

const SIGNER = 'performers[0].signer.userNPI'
const ORGANIZATION = 'performers[0].organization.orgNPI'

/** A reference, where it is, and the resource that it is in. */
export interface Named {
  place: string
  reference: Reference
  owner: unknown
}

export interface Signer {
  /** Empty when the message is held. */
  userNPI: string
  /** Undefined leaves the organization to the service. */
  orgNPI: string | undefined
  /** Whether the signer is named with an organization: no other one is taken in its place. */
  hasOrganization: boolean
}

/** Returns the NPI of the one person who is named, and that of the organization. Holds the message for several people. */
export function signerOf(all: readonly Named[], reading: Reading): Signer {
  const signers = all.map((named) => oneSigner(named, reading))
  const [first = { userNPI: '', orgNPI: undefined, hasOrganization: false }] = signers
  const isSame = signers.every(({ userNPI, orgNPI }) => userNPI === first.userNPI && orgNPI === first.orgNPI)
  if (!isSame) reading.findings.hold(all[1]?.place ?? '', `names a different signer than ${all[0]?.place}`)
  return first
}

/** A signer who is named and has no NPI is held. The organization is that of the role. */
function oneSigner(named: Named, reading: Reading): Signer {
  const { place, reference, owner } = named
  const { collection, findings, map, at } = reading
  if (!collection.has(reference, 'PractitionerRole', owner))
    return { userNPI: personNpi(named, reading), orgNPI: undefined, hasOrganization: false }
  const role = collection.resolve(reference, place, PractitionerRole, owner, findings)
  const inRole = collection.find(reference, owner)
  const { practitioner, organization } = role ?? {}
  if (role !== null && practitioner === undefined) findings.hold(place, 'is a role without a practitioner')
  if (role !== null && !isInUse(role, at))
    findings.hold('PractitionerRole.period', 'is not current: the role has ended or has not begun')
  const userNPI = practitioner
    ? personNpi({ place: `${place}.practitioner`, reference: practitioner, owner: inRole }, reading)
    : ''
  const [own] = reference.identifier ? npisIn([reference.identifier], map.signers, reading) : []
  if (own !== undefined && own !== userNPI) findings.hold(`${place}.identifier`, DISAGREES)
  return {
    userNPI,
    orgNPI:
      organization &&
      organizationNpi({ place: `${place}.organization`, reference: organization, owner: inRole }, reading),
    hasOrganization: organization !== undefined,
  }
}

const DISAGREES = 'identifies someone else than the reference does'

function personNpi({ place, reference, owner }: Named, reading: Reading): string {
  const { collection, map, findings } = reading
  const own = reference.identifier ? npisIn([reference.identifier], map.signers, reading) : []
  if (own.length === 0 && reference.reference === undefined) {
    findings.hold(place, 'names the signer in text only; an NPI is required')
    return ''
  }
  const isThere = own.length === 0 || collection.find(reference, owner) !== undefined
  const person = isThere ? collection.resolve(reference, place, Practitioner, owner, findings) : null
  const found = npisIn(person?.identifier ?? [], map.signers, reading)
  const npis = own.length > 0 ? own : found
  const [npi] = npis
  if (npi === undefined && person !== null)
    findings.hold(place, 'has no NPI, and no id that signers of the map lists for its system')
  if (npis.length > 1) findings.hold(place, 'has several NPIs; the signer must have one')
  if (own.length > 0 && found.length > 0 && !found.includes(own[0]!)) findings.hold(`${place}.identifier`, DISAGREES)
  if (npi !== undefined) judgeSigner(npi, place, map, findings)
  findings.from(SIGNER, own.length === 0 ? `${place}.resolve().identifier` : `${place}.identifier`)
  return npi ?? ''
}

/** Returns undefined, which leaves the organization to the service, when it has no NPI and the map has no table of organizations. */
export function organizationNpi({ place, reference, owner }: Named, reading: Reading): string | undefined {
  const { collection, map, findings } = reading
  const own = reference.identifier ? npisIn([reference.identifier], map.organizations, reading) : []
  const has = collection.has(reference, 'Organization', owner)
  const organization = has ? collection.resolve(reference, place, Organization, owner, findings) : null
  const found = npisIn(organization?.identifier ?? [], map.organizations, reading)
  const npis = own.length > 0 ? own : found
  if (npis.length > 1) findings.hold(place, 'has several NPIs; the organization must have one')
  if (own.length > 0 && found.length > 0 && !found.includes(own[0]!)) findings.hold(`${place}.identifier`, DISAGREES)
  if (npis.length === 0 && Object.keys(map.organizations).length > 0)
    findings.hold(place, 'has no NPI, and no id that organizations of the map lists')
  if (npis.length > 0)
    findings.from(ORGANIZATION, own.length > 0 ? `${place}.identifier` : `${place}.resolve().identifier`)
  return npis[0]
}

const NPI_SYSTEM = /^(?:https?:\/\/hl7\.org\/fhir\/sid\/us-npi\/?|(?:urn:oid:|oid:)?2\.16\.840\.1\.113883\.4\.6)$/i
/** Types of ids that an employer gives; a license or a tax number with the same digits is another person's. */
const OWN_TYPES = ['', 'EI', 'PRN', 'PN', 'RI', 'NPI', 'XX']

/** Returns each NPI that identifiers represent, once: by the map's table of other ids, else by those that say they are an NPI. */
function npisIn(
  identifiers: readonly Identifier[],
  table: Readonly<Record<string, string>>,
  { map: { signerAuthority, signers }, at }: Reading,
): string[] {
  const usable = identifiers.filter(
    (one) => isInUse(one, at) && !isPlaceholder(one.value ?? '') && !hasAssignerAlone(one),
  )
  const codesOf = ({ type }: Identifier) => type?.coding.map(({ code = '' }) => code.toUpperCase()) ?? []
  const isOwn = (one: Identifier) => {
    const codes = codesOf(one)
    if (codes.some((code) => !OWN_TYPES.includes(code))) return false
    return one.system === undefined || (table === signers && one.system === signerAuthority)
  }
  const keysOf = (one: Identifier) => {
    const value = one.value?.trim() ?? ''
    const names = [`${one.system ?? ''}|${value}`, `${one.system?.replace(/^urn:oid:/i, '') ?? ''}|${value}`]
    return [...names, ...(isOwn(one) ? [value] : [])]
  }
  const listed = usable.flatMap((one) => keysOf(one).find((key) => Object.hasOwn(table, key)) ?? [])
  const isNpi = (one: Identifier) => NPI_SYSTEM.test(one.system?.trim() ?? '') || codesOf(one).includes('NPI')
  const npis = usable.filter(isNpi).flatMap(({ value = '' }) => (/^\d{10}$/.test(value.trim()) ? [value.trim()] : []))
  return [...new Set(listed.length > 0 ? listed.map((key) => table[key]!) : npis)]
}
