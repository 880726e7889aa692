/**
 * Maps a message in FHIR R4 whose resources are partly elsewhere. The mapping itself says what it lacks; that is read, and the
 * message is mapped again, until nothing more is asked for. So nothing is read that the request does not need.
 */
import { collectionOf, type Entry } from './fhir/collection.ts'
import { canBeRepeated, type FhirOrigin, originOf, TOO_MUCH_TO_REPEAT } from './fhir-result/origin.ts'
import { mapCollection, NO_RESOURCE, resourceIn } from './map-fhir.ts'
import { type MapFile, type MapFileInput, readMapFile } from './map-file.ts'
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

/** A question to a mapping of what is known so far. */
export interface FhirQuestion {
  /** The message: a resource, or its JSON as text or bytes. */
  message: unknown
  /** The sender's codes and ids. */
  map: MapFile
  /** The resources that were read, as far as they were found. */
  fetched: readonly Entry[]
  /** The references that were read. */
  asked: readonly string[]
  /** Decides which periods have ended; milliseconds since 1970. */
  at: number
}

/** The answer while something has to be read. */
export interface ReadFirst {
  /** The references that have to be read. */
  wanted: readonly string[]
}

/** The mapped message, or the references that have to be read first. */
export type FhirAnswer = MappedAt | ReadFirst

/** Maps a message with what was read for it. Pure. */
export function mapFhirOnce({ message, map, fetched, asked, at }: FhirQuestion): FhirAnswer {
  const json = resourceIn(message)
  if (!json.ok) return { mapped: { ok: false, held: [`resourceType: the message ${json.reason}`] }, origin: null }
  const collection = collectionOf(json.value, fetched)
  if (collection === null) return { mapped: NO_RESOURCE, origin: null }
  const mapped = mapCollection(collection, map, at)
  const known = new Set(asked)
  const wanted = [...collection.missing].filter((reference) => !known.has(reference))
  if (wanted.length === 0 && !mapped.ok) return { mapped, origin: null }
  if (wanted.length === 0)
    return canBeRepeated(collection)
      ? { mapped, origin: originOf({ collection, map, at }) }
      : { mapped: { ok: false, held: [TOO_MUCH_TO_REPEAT] }, origin: null }
  return asked.length + wanted.length > MAX_READS ? { mapped: TOO_MUCH, origin: null } : { wanted }
}

/**
 * Resolves with what becomes of a message; `read` is called for what the message refers to and does not hold.
 *
 * @param mapOnce maps what is known so far; optional, here and at once by default
 */
export async function mapFhirAt(
  message: unknown,
  given: MapFileInput,
  read: ReadReference,
  at: number = Date.now(),
  mapOnce: (question: FhirQuestion) => Promise<FhirAnswer> | FhirAnswer = mapFhirOnce,
): Promise<MappedAt> {
  const map = readMapFile(given)
  const asked: string[] = []
  const fetched = new Map<string, Entry>()
  for (;;) {
    const answer = await mapOnce({ message, map, fetched: [...fetched.values()], asked, at })
    if ('mapped' in answer) return answer
    for (const reference of answer.wanted) {
      asked.push(reference)
      const found = await read(reference)
      if (found) fetched.set(found.url, { ...found, reference })
    }
  }
}
