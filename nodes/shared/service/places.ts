/** Remembers which addresses a service node has had, so that what is kept for an earlier one can be named. */
import type { Journal } from '../../../lib/journal/journal.ts'
import type { Journals } from './journals.ts'
import type { Settings } from './settings.ts'

interface Place {
  /** The scheme, host and port; never credentials or a path. */
  address: string
}

const PLACES = 'places'
/** Notes that the journal was begun by a version that did not write addresses down. */
const UNNAMED = 'unnamed'

/** Returns the address for people, without credentials and path. */
export function addressOf({ embedded, baseUrl, organization }: Settings): string {
  if (embedded) return `embedded (${organization})`
  const url = URL.parse(baseUrl)
  return url ? `${url.protocol}//${url.host}` : '?'
}

/** Writes down the address of a place. */
export async function rememberPlace(journals: Journals, place: string, settings: Settings): Promise<void> {
  const journal = await journals.open(PLACES)
  const parts = await journals.parts()
  const isOlder = parts.some(({ namespace }) => namespace === 'creates') && !parts.some(isPlaces)
  if (isOlder) await journal.set(UNNAMED, true)
  await journal.set(place, { address: addressOf(settings) } satisfies Place)
}

const isPlaces = ({ namespace }: { namespace: string }) => namespace === PLACES

/** Returns every place whose address is known. */
export async function placesIn(journals: Journals): Promise<Map<string, string>> {
  const known = new Map<string, string>()
  for await (const [place, entry] of (await open(journals)).entries<Place>())
    if (place !== UNNAMED) known.set(place, entry.address)
  return known
}

/** Whether documents may be known here under keys that cannot be computed, so that each has to be looked up. */
export const hasUnnamedKeys = async (journals: Journals): Promise<boolean> =>
  (await (await open(journals)).get(UNNAMED)) === true

const open = (journals: Journals): Promise<Journal> => journals.open(PLACES)
