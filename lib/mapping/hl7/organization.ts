/** Which organization receives the task: facilities by the map's table. Pure. */
import type { Repetition } from '../../hl7/message.ts'
import type { Findings } from '../findings.ts'
import { hasCheckDigit, isNpiLabel } from '../npi.ts'
import { authorityAt, part, sendingFacility } from './identity.ts'
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
 * Returns the NPI of the organization; undefined leaves it to the service, with a warning. The first facility that is named counts:
 * one that the table does not know is held, and no later one is taken in its place. The sender in MSH-4 names no organization by itself.
 */
export function organizationNpi(scope: Scope, findings: Findings): string | undefined {
  const { organizations } = scope.map
  const facilities = sourcesOf(scope, ORGANIZATION)
    .map(({ place, value, isSeveral }) => ({
      ...facilityIn(place, value[0]!, scope),
      isSeveral: isSeveral || value.length > 1,
    }))
    .filter(({ names, npi }) => names.length > 0 || npi !== null)
  const [first] = facilities
  if (first?.isSeveral) {
    findings.hold(first.place, 'names several facilities, and a task has one')
    return undefined
  }
  const known = first?.names.find((name) => Object.hasOwn(organizations, name))
  if (first !== undefined && known !== undefined) {
    findings.from(ORGANIZATION, `${first.place}, by the table organizations`)
    return organizations[known]
  }
  if (first !== undefined && first.npi !== null) {
    findings.from(ORGANIZATION, first.place)
    return first.npi
  }
  if (first !== undefined && first.place !== 'MSH-4' && Object.keys(organizations).length > 0)
    findings.hold(first.place, 'names a facility that is not in the table of organizations')
  else {
    const places = facilities.map(({ place }) => place).join(', ') || placesIn(scope, ORGANIZATION).join(', ')
    findings.warn(
      places,
      'no facility in the table of organizations, so the primary organization of the signer receives the task',
    )
  }
  return undefined
}

/** PL names the facility in its fourth component; HD begins with it; XON has a name, an id (3), who assigned it (6), its type (7), and an id (10). */
function facilityIn(place: string, repetition: Repetition, { message }: Scope): Facility {
  if (place === 'MSH-4') return { place, names: sendingFacility(message).names, npi: null }
  if (place === 'PV1-3') return { place, names: authorityAt(repetition, 4).names, npi: null }
  if (place !== 'ORC-21') return { place, names: present([part(repetition, 1)]), npi: null }
  const id = part(repetition, 10) || part(repetition, 3)
  const authority = authorityAt(repetition, 6)
  const isNpi = part(repetition, 7).toUpperCase() === 'NPI' || authority.names.some(isNpiLabel)
  const qualifiedIds = id === '' ? [] : authority.names.map((name) => `${name}|${id}`)
  return {
    place,
    names: present([...qualifiedIds, id || part(repetition, 1)]),
    npi: isNpi && /^\d{10}$/.test(id) && hasCheckDigit(id) ? id : null,
  }
}

const present = (texts: readonly string[]): string[] => texts.filter((text) => text !== '')
