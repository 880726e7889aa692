/** Who signs: XCN, from every field that names the signer. Pure. */
import type { Message, Repetition } from '../../hl7/message.ts'
import type { Findings } from '../findings.ts'
import type { MapFile } from '../map-file.ts'
import { hasCheckDigit, isNpiLabel, judgeSigner } from '../npi.ts'
import { type Authority, authorityIn, idIn, isInUse, part, qualified, sendingFacility, unusable } from './identity.ts'
import { LATER_SIGNERS, placesIn, type Scope, type Source, sourcesOf } from './sources.ts'

const SIGNER = 'performers[0].signer.userNPI'

/** A person as a field names them. */
interface Named {
  place: string
  /** XCN. */
  person: Repetition
  /** Null when no id of the person can be used. */
  npi: string | null
}

/**
 * Returns the NPI of the signer. Every field that names the signer must name the same person: an id that is there and cannot be used
 * is held, never passed over, because another field may name another person.
 */
export function signerNpi(scope: Scope, findings: Findings): string {
  const people = peopleIn(scope)
  if (people.length === 0) {
    findings.hold(placesIn(scope, SIGNER).join(', '), 'does not identify a signer')
    return ''
  }
  const places = [...new Set(people.map(({ place }) => place.replace(/\(\d+\)$/, '')))].join(', ')
  const usable = people.filter(({ npi }) => npi !== null)
  const [first] = usable
  if (first === undefined) findings.hold(places, reasonFor(people, scope))
  else if (usable.some(({ npi }) => npi !== first.npi) || people.some((one) => !isNamedBy(one, usable)))
    findings.hold(places, 'names several signers, and a document has one')
  else judgeSigner(first.npi!, first.place.replace(/\(\d+\)$/, ''), scope.map, findings)
  findings.from(SIGNER, (first ?? people[0]!).place)
  return first?.npi ?? ''
}

/** Returns the signer as the message names them, XCN, with their NPI; empty, and null, when it names none by a usable id. */
export const signerAsSent = (scope: Scope): Pick<Named, 'person' | 'npi'> =>
  peopleIn(scope).find(({ npi }) => npi !== null) ?? { person: [], npi: null }

function reasonFor(people: readonly Named[], { map }: Scope): string {
  const isInTable = people.some(({ person }) => Object.hasOwn(map.signers, part(person, 1)))
  return isInTable
    ? 'holds an id of the table of signers, but of another authority or type; write it as AUTHORITY|id, or set signerAuthority'
    : 'is not an NPI, and is not in signers of the map'
}

/** Returns everyone whom the sources name, by the first sources that count together. */
function peopleIn(scope: Scope): Named[] {
  const sources = sourcesOf(scope, SIGNER)
  const isOwn = scope.map.fields[SIGNER] !== undefined
  const first = sources.filter(({ place }) => !LATER_SIGNERS.includes(place))
  const counting = isOwn ? sources.slice(0, 1) : first.length > 0 ? first : sources.slice(0, 1)
  return counting.flatMap((source) => named(source, scope))
}

function named({ place, values }: Source, { message, map }: Scope): Named[] {
  const people = values.flat().filter((person) => person.flat().some((value) => !/^\s*(?:"")?\s*$/.test(value)))
  return people.map((person, index) => ({
    place: `${place}(${index + 1})`,
    person,
    npi: npiOf(person, message, map),
  }))
}

/** Whether someone without a usable id is, by their name, one of those who have one. */
const isNamedBy = ({ npi, person }: Named, usable: readonly Named[]): boolean =>
  npi !== null || usable.some((other) => isSameName(person, other.person))

function isSameName(a: Repetition, b: Repetition): boolean {
  const [familyA, familyB, givenA, givenB] = [part(a, 2), part(b, 2), part(a, 3), part(b, 3)].map((name) =>
    name.toLocaleUpperCase('en-US'),
  ) as [string, string, string, string]
  return familyA !== '' && familyA === familyB && givenA === givenB
}

/** Who assigned the id: the authority, else the facility, the agency (23) or the jurisdiction (22). */
const ASSIGNERS = [9, 14, 23, 22]

/** Types of ids (table 0203) that an employer assigns; ids of other types, such as licenses, have the same digits by chance. */
const OWN_TYPES = ['', 'EI', 'EN', 'DN', 'PRN', 'PN', 'RI']

/** XCN: id, family name, given name, …, authority (9), …, type of the id (13), facility (14), …, first and last day (19, 20). */
function npiOf(person: Repetition, message: Message, map: MapFile): string | null {
  const id = idIn(person)
  const type = part(person, 13).toUpperCase()
  const authority = authorityIn(person, ASSIGNERS)
  if (unusable(id, authority, message) !== null || !isInUse(message, part(person, 19), part(person, 20))) return null
  const listed = listedNpi(id, type, authority, message, map)
  if (listed !== null) return listed
  if (!/^\d{10}$/.test(id) || !['', 'NPI'].includes(type)) return null
  if (type === 'NPI' || authority.names.some(isNpiLabel)) return id
  // Ten digits without a label may be an id of the sender's own.
  return map.signerIds === 'any' && hasCheckDigit(id) ? id : null
}

function listedNpi(
  id: string,
  type: string,
  authority: Authority,
  message: Message,
  { signers, signerAuthority }: MapFile,
): string | null {
  if (!OWN_TYPES.includes(type)) return null
  const listed = authority.names
    .map((name) => (name === authority.key ? qualified(authority, id) : `${name}|${id}`))
    .flatMap((key) => (Object.hasOwn(signers, key) ? [signers[key]!] : []))
  // The table may have the namespace and the universal id of an authority for two people.
  if (listed.length > 0) return new Set(listed).size === 1 ? listed[0]! : null
  if (!Object.hasOwn(signers, id)) return null
  // An id without an authority is the sender's own; the same digits of another authority are another person's.
  const facility = sendingFacility(message)
  const isOwn =
    signerAuthority === undefined
      ? authority.key === '' || authority.key === facility.key
      : (authority.key === '' ? facility : authority).names.includes(signerAuthority)
  return isOwn ? signers[id]! : null
}
