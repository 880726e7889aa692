/**
 * Maps a message in FHIR R4 whose resources are partly elsewhere. The mapping itself says what it lacks; that is read, and the
 * message is mapped again, until nothing more is asked for. So nothing is read that the request does not need.
 */
import { collectionOf, type Entry } from './fhir/collection.ts'
import { type FhirOrigin, originOf } from './fhir-result/origin.ts'
import { mapCollection, NO_RESOURCE, resourceIn } from './map-fhir.ts'
import { type MapFileInput, readMapFile } from './map-file.ts'
import type { Mapped } from './mapped.ts'

/**
 * Resolves with the resource that a reference names, under the absolute URL that it is known by; with null when there is none to be
 * read. What it rejects with ends the mapping.
 */
export type ReadReference = (reference: string) => Promise<Entry | null>

/** An order needs about eight; a message that asks for many more is not an order. */
const MAX_READS = 40

const TOO_MUCH: Mapped = {
  ok: false,
  held: [`reference: the message refers to more than ${MAX_READS} resources that it does not hold`],
}

/** The result of mapping a message whose resources are partly elsewhere. */
export interface MappedAt {
  /** The mapped order, or every reason why it is held. */
  mapped: Mapped
  /** The origin that `resultToFhir` needs later; null when the message is held. */
  origin: FhirOrigin | null
}

/** Resolves with what becomes of a message; `read` is called for what the message refers to and does not hold. */
export async function mapFhirAt(
  message: unknown,
  given: MapFileInput,
  read: ReadReference,
  at: number = Date.now(),
): Promise<MappedAt> {
  const map = readMapFile(given)
  const json = resourceIn(message)
  if (!json.ok) return { mapped: { ok: false, held: [`resourceType: the message ${json.reason}`] }, origin: null }
  const asked = new Set<string>()
  const fetched = new Map<string, Entry>()
  for (;;) {
    const collection = collectionOf(json.value, [...fetched.values()])
    if (collection === null) return { mapped: NO_RESOURCE, origin: null }
    const mapped = mapCollection(collection, map, at)
    const wanted = [...collection.missing].filter((reference) => !asked.has(reference))
    if (wanted.length === 0) return { mapped, origin: mapped.ok ? originOf(collection) : null }
    if (asked.size + wanted.length > MAX_READS) return { mapped: TOO_MUCH, origin: null }
    for (const reference of wanted) {
      asked.add(reference)
      const found = await read(reference)
      if (found) fetched.set(found.url, { ...found, reference })
    }
  }
}
