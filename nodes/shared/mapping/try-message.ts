/** Tries a map, as it is typed in a form, on a message. Sends nothing, reads nothing elsewhere and keeps nothing. */
import { readJson } from '../../../lib/client/answers/read-json.ts'
import { type ExplainedField, explain } from '../../../lib/mapping/explain.ts'
import { type MapFile, readMapFile } from '../../../lib/mapping/map-file.ts'
import type { Mapped } from '../../../lib/mapping/mapped.ts'
import { SettingsError } from '../../../lib/settings.ts'
import { mapLargeFhir, mapLargeHl7 } from '../large/in-thread.ts'

/** The result of trying a message. The fields hold the values of the patient; warnings and reasons hold none. */
export interface Trial {
  becomes: 'create' | 'replace' | 'retract' | 'held' | 'wrongMap'
  /** The request, field by field; of a document that is taken back, its id. */
  fields: readonly ExplainedField[]
  warnings: readonly string[]
  /** Why the message is held, or what is wrong with the map. */
  reasons: readonly string[]
}

/** How a message of each kind is mapped. */
const kinds = {
  hl7: async (message: string, map: MapFile): Promise<Mapped> => (await mapLargeHl7(message, map)).mapped,
  fhir: async (message: string, map: MapFile): Promise<Mapped> =>
    (await mapLargeFhir(message, map, async () => null)).mapped,
} as const
export type MessageKind = keyof typeof kinds
export const messageKinds = Object.keys(kinds) as MessageKind[]

/** @param map as JSON */
export async function tryMessage(kind: MessageKind, map: string, message: string): Promise<Trial> {
  try {
    return trialOf(await kinds[kind](message, readMapFile(readJson(map))))
  } catch (failure) {
    if (failure instanceof SettingsError) return { ...NOTHING, becomes: 'wrongMap', reasons: failure.errors }
    throw failure
  }
}

const NOTHING = { fields: [], warnings: [], reasons: [] }

function trialOf(mapped: Mapped): Trial {
  if (!mapped.ok) return { ...NOTHING, becomes: 'held', reasons: mapped.held }
  const { action, warnings } = mapped
  const fields =
    action === 'retract' ? [{ field: 'externalDocId', value: mapped.externalDocId, from: '' }] : explain(mapped)
  return { ...NOTHING, becomes: action, fields, warnings }
}
