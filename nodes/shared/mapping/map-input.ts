/** The map of a sender's codes and ids, as the form of a node gives it. */
import { readJson } from '../../../lib/client/answers/read-json.ts'
import { type MapFile, readMapFile } from '../../../lib/mapping/map-file.ts'
import type { FormReader } from '../form/form-reader.ts'
import { refuse } from '../form/inputs.ts'

/**
 * Returns the map that the input `map` gives, as an object or as JSON. Throws `InputError` when it cannot be evaluated, and
 * `SettingsError`, which names everything wrong in it.
 */
export async function mapInput(reader: FormReader): Promise<MapFile> {
  const given = await reader.value('map', 'map')
  refuse(reader, [])
  return readMapFile(typeof given === 'string' ? readJson(given) : given)
}
