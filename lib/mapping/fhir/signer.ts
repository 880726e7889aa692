/** Who signs an order in FHIR, and where. Pure. */
import { judgeSigner } from '../npi.ts'
import type { Reading } from './reading.ts'
import { type Identifier, Organization, Practitioner, PractitionerRole, type Reference } from './resources.ts'

const SIGNER = 'performers[0].signer.userNPI'
const ORGANIZATION = 'performers[0].organization.orgNPI'

const US_NPI = 'http://hl7.org/fhir/sid/us-npi'

/** A reference, where it stands, and the resource that it stands in. */
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
}

/** Returns the NPI of the signer, and that of the organization that his role names. Whoever is named and has no NPI is held. */
export function signerOf(named: Named, reading: Reading): Signer {
  const { place, reference, owner } = named
  if (!reading.collection.has(reference, 'PractitionerRole', owner))
    return { userNPI: personNpi(named, reading), orgNPI: undefined }
  const role = reading.collection.resolve(reference, place, PractitionerRole, owner, reading.findings)
  const { practitioner, organization } = role ?? {}
  if (role !== null && practitioner === undefined) reading.findings.hold(place, 'is a role that nobody has')
  return {
    userNPI: practitioner ? personNpi({ place: `${place}.practitioner`, reference: practitioner, owner }, reading) : '',
    orgNPI:
      organization && organizationNpi({ place: `${place}.organization`, reference: organization, owner }, reading),
  }
}

function personNpi({ place, reference, owner }: Named, { collection, map, findings }: Reading): string {
  const own = reference.identifier ? npiIn([reference.identifier], map.signers) : undefined
  if (own === undefined && reference.reference === undefined) {
    findings.hold(place, 'names the signer in words only, and not by an NPI')
    return ''
  }
  const person = own === undefined ? collection.resolve(reference, place, Practitioner, owner, findings) : null
  const npi = own ?? npiIn(person?.identifier ?? [], map.signers)
  if (npi === undefined && person !== null) findings.hold(place, 'has no NPI, and no id in the table of signers')
  if (npi !== undefined) judgeSigner(npi, place, map, findings)
  findings.from(SIGNER, own === undefined ? `${place}.resolve().identifier` : `${place}.identifier`)
  return npi ?? ''
}

/** An organization that is not in the message is no fault: the service then chooses. */
export function organizationNpi({ place, reference, owner }: Named, reading: Reading): string | undefined {
  const { collection, map, findings } = reading
  const own = reference.identifier ? npiIn([reference.identifier], map.organizations) : undefined
  if (own !== undefined) findings.from(ORGANIZATION, `${place}.identifier`)
  if (own !== undefined || !collection.has(reference, 'Organization', owner)) return own
  const organization = collection.resolve(reference, place, Organization, owner, findings)
  findings.from(ORGANIZATION, `${place}.resolve().identifier`)
  return npiIn(organization?.identifier ?? [], map.organizations)
}

/** By the map's table of other ids, else by the system of NPIs. */
function npiIn(identifiers: readonly Identifier[], table: Readonly<Record<string, string>>): string | undefined {
  const known = identifiers.find(({ value = '' }) => Object.hasOwn(table, value))
  if (known?.value !== undefined) return table[known.value]
  return identifiers.find(({ system, value = '' }) => system === US_NPI && /^\d{10}$/.test(value))?.value
}
