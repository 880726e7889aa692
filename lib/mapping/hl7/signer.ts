/** Who signs, and where: XCN, and facilities by the map's table. Pure. */
import type { Message, Repetition } from '../../hl7/message.ts'
import type { Findings } from '../findings.ts'
import type { MapFile } from '../map-file.ts'
import { hasCheckDigit, judgeSigner } from '../npi.ts'
import { type Kind, placesOf, sourcesOf } from './sources.ts'

const SIGNER = 'performers[0].signer.userNPI'
const ORGANIZATION = 'performers[0].organization.orgNPI'

/**
 * Returns the NPI of the signer, from the first source that holds anything. An id that is there and is no NPI is held, never passed
 * over: a later source names somebody else.
 */
export function signerNpi(message: Message, kind: Kind, map: MapFile, findings: Findings): string {
  const [source] = sourcesOf(message, kind, map, SIGNER)
  if (source === undefined) {
    findings.hold(placesOf(kind, map, SIGNER), 'names no signer')
    return ''
  }
  const people = source.value.map((repetition) => npiOf(repetition, map))
  const npis = new Set(people.filter((npi) => npi !== null))
  const [npi] = npis
  if (npi === undefined)
    findings.hold(source.place, 'holds no NPI of a signer, and none of the ids in the table of signers')
  else if (npis.size > 1) findings.hold(source.place, 'names several signers, and a document has one')
  else judgeSigner(npi, source.place, map, findings)
  findings.from(SIGNER, `${source.place}(${people.findIndex((one) => one !== null) + 1})`)
  return npi ?? ''
}

/** Returns the signer as the message names them, XCN, with their name; empty when it names none by a usable id. */
export const signerAsSent = (message: Message, kind: Kind, map: MapFile): Repetition =>
  sourcesOf(message, kind, map, SIGNER)[0]?.value.find((repetition) => npiOf(repetition, map) !== null) ?? []

/**
 * Returns the NPI of an XCN: id, family name, given name, …, authority (9), …, type of the id (13). Many senders omit the type.
 * Returns null when it names a signer otherwise.
 */
export function npiOf(repetition: Repetition, { signers, signerIds }: MapFile): string | null {
  const part = (number: number) => repetition[number - 1]?.[0]?.trim() ?? ''
  const id = part(1)
  if (Object.hasOwn(signers, id)) return signers[id]!
  const isLabelled = part(13).toUpperCase() === 'NPI' || /\bNPI\b/i.test(part(9))
  if (!/^\d{10}$/.test(id)) return null
  // Ten digits without a label may be an id of the sender's own.
  return isLabelled || (signerIds === 'any' && part(13) === '' && hasCheckDigit(id)) ? id : null
}

/** Returns the NPI of the organization that receives the task; undefined leaves it to the service, with a warning. */
export function organizationNpi(message: Message, kind: Kind, map: MapFile, findings: Findings): string | undefined {
  const facilities = sourcesOf(message, kind, map, ORGANIZATION).map(({ place, value }) => ({
    place,
    id: facilityIn(place, value[0]!),
  }))
  const known = facilities.find(({ id }) => Object.hasOwn(map.organizations, id))
  if (known !== undefined) {
    findings.from(ORGANIZATION, `${known.place}, by the table organizations`)
    return map.organizations[known.id]
  }
  const places = facilities.map(({ place }) => place).join(', ') || placesOf(kind, map, ORGANIZATION)
  findings.warn(
    places,
    'no facility in the table of organizations, so the primary organization of the signer receives the task',
  )
  return undefined
}

/** PL names the facility in its fourth component, XON its id in the tenth; HD begins with it. */
function facilityIn(place: string, repetition: Repetition): string {
  const component = { 'PV1-3': 4, 'ORC-21': 10 }[place] ?? 1
  return repetition[component - 1]?.[0]?.trim() ?? ''
}
