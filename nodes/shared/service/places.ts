/** Remembers which addresses a service node has had, so that what is kept for an earlier one can be named. */
import type { Journals } from './journals.ts'
import type { Settings } from './settings.ts'

interface Place {
  /** The scheme, host and port; never credentials or a path. */
  address: string
}

const PLACES = 'places'

/** Returns the address for people, without credentials and path. */
export function addressOf({ embedded, baseUrl, organization }: Settings): string {
  if (embedded) return `embedded (${organization})`
  const url = URL.parse(baseUrl)
  return url ? `${url.protocol}//${url.host}` : '?'
}

/** Writes down the address of a place. */
export async function rememberPlace(journals: Journals, place: string, settings: Settings): Promise<void> {
  const journal = await journals.open(PLACES)
  await journal.set(place, { address: addressOf(settings) } satisfies Place)
}

/** Returns every place whose address is known. */
export async function placesIn(journals: Journals): Promise<Map<string, string>> {
  const known = new Map<string, string>()
  const journal = await journals.open(PLACES)
  for await (const [place, { address }] of journal.entries<Place>()) known.set(place, address)
  return known
}
