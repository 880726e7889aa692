/** Finds the organization that receives the task: facilities by the map's table. Pure. */
import type { Repetition } from '../../hl7/message.ts'
import type { Findings } from '../findings.ts'
import { hasCheckDigit, isNpiLabel } from '../npi.ts'
import { authorityAt, authorityIn, part, sendingFacility } from './identity.ts'
import { placesIn, type Scope, sourcesOf } from './sources.ts'

const ORGANIZATION = 'performers[0].organization.orgNPI'

/** An organization, as one source names it. */
interface Facility {
  place: string
  /** The texts by which the table of the map may name it. */
  names: readonly string[]
  /** An NPI that the message labels as such. */
  npi: string | null
}

/**
 * Returns the NPI of the organization; undefined leaves it to the service, with a warning. All facilities that the message names must be
 * the same organization: one that the table does not know is held, and none is taken in its place. The sender in MSH-4 counts only where
 * no other source names a facility, and names no organization by itself.
 */
export function organizationNpi(scope: Scope, findings: Findings): string | undefined {
  const { organizations } = scope.map
  const hasTable = Object.keys(organizations).length > 0
  const sources = sourcesOf(scope, ORGANIZATION)
  const counting = scope.map.fields[ORGANIZATION] === undefined ? sources : sources.slice(0, 1)
  const named = counting.flatMap(({ place, values }) =>
    values.flat().map((repetition) => facilityIn(place, repetition, scope)),
  )
  const facilities = named.filter(({ names, npi }) => names.length > 0 || npi !== null)
  const others = facilities.filter(({ place }) => place !== 'MSH-4')
  const known = (others.length > 0 ? others : facilities).flatMap(({ place, names, npi }) => {
    const keys = names.filter((name) => Object.hasOwn(organizations, name))
    // The table may have two names of one facility for two organizations.
    if (keys.length > 0)
      return keys.map((key) => ({ npi: organizations[key]!, place, origin: `${place}, by the table organizations` }))
    if (npi === null && hasTable && place !== 'MSH-4')
      findings.hold(place, 'names a facility that is not in the table of organizations')
    return npi === null ? [] : [{ npi, place, origin: place }]
  })
  const [first] = known
  if (first === undefined) {
    const places = placesOf(facilities) || placesIn(scope, ORGANIZATION).join(', ')
    if (others.length === 0 || !hasTable)
      findings.warn(
        places,
        'no facility in the table of organizations, so the primary organization of the signer receives the task',
      )
    return undefined
  }
  if (known.some(({ npi }) => npi !== first.npi))
    findings.hold(placesOf(known), 'names several organizations, and a task has one')
  findings.from(ORGANIZATION, first.origin)
  return first.npi
}

const placesOf = (places: readonly { place: string }[]): string =>
  [...new Set(places.map(({ place }) => place))].join(', ')

/** PL names the facility in its fourth component; HD begins with it; XON has a name, an id (3), who assigned it (6, 8), its type (7), and an id (10). */
function facilityIn(place: string, repetition: Repetition, { message, map }: Scope): Facility {
  if (place === 'MSH-4') return { place, names: sendingFacility(message).names, npi: null }
  if (place === 'PV1-3') return { place, names: authorityAt(repetition, 4).names, npi: null }
  if (!['ORC-21', 'PRT-8'].includes(place)) return { place, names: present([part(repetition, 1)]), npi: null }
  const id = part(repetition, 10) || part(repetition, 3)
  const authority = authorityIn(repetition, [6, 8])
  const isNpi = part(repetition, 7).toUpperCase() === 'NPI' || authority.names.some(isNpiLabel)
  const qualifiedIds = id === '' ? [] : authority.names.map((name) => `${name}|${id}`)
  // An id alone is the sender's own; the same id of another authority is another organization's.
  const isOwn = authority.key === '' || authority.key === sendingFacility(message).key
  const isListed = qualifiedIds.some((one) => Object.hasOwn(map.organizations, one))
  return {
    place,
    names: isListed || (id !== '' && !isOwn) ? qualifiedIds : present([...qualifiedIds, id || part(repetition, 1)]),
    npi: isNpi && /^\d{10}$/.test(id) && hasCheckDigit(id) ? id : null,
  }
}

const present = (texts: readonly string[]): string[] => texts.filter((text) => text !== '')
