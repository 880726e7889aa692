/** Maps a message of any kind. */
import { readdir } from 'node:fs/promises'
import { join, parse } from 'node:path'
import { takeApart } from '../../../lib/hl7/batch.ts'
import { indexKinds } from '../../../lib/mapping/files/read-index.ts'
import { mapFhir } from '../../../lib/mapping/map-fhir.ts'
import type { MapFile } from '../../../lib/mapping/map-file.ts'
import { mapFiles } from '../../../lib/mapping/map-files.ts'
import { mapHl7 } from '../../../lib/mapping/map-hl7.ts'
import type { Mapped } from '../../../lib/mapping/mapped.ts'
import { CommandError } from '../command/command-error.ts'
import { bytesIn } from './bytes-in.ts'

export type Kind = 'hl7' | 'fhir' | 'files'

export interface Message {
  bytes: Uint8Array
  /** `-` for standard input. */
  file: string
}

/** Returns what becomes of a message; of a batch, in the order of its messages. */
export const mapMessages = async (kind: Kind, message: Message, map: MapFile): Promise<Mapped[]> =>
  MAPPERS[kind](message, map)

const MAPPERS: Readonly<Record<Kind, (message: Message, map: MapFile) => Mapped[] | Promise<Mapped[]>>> = {
  hl7: ({ bytes }, map) => mapAll(bytes, map),
  fhir: ({ bytes }, map) => [mapFhir(bytes, map)],
  files: async (message, map) => [await mapPair(message, map)],
}

function mapAll(bytes: Uint8Array, map: MapFile): Mapped[] {
  const batch = takeApart(bytes)
  if (batch === null) return [mapHl7(bytes, map)]
  if (batch.findings.length > 0) return [{ ok: false, held: [...batch.findings] }]
  const messages = batch.groups.flatMap((group) => group.messages)
  return messages.length > 0
    ? messages.map((message) => mapHl7(message, map))
    : [{ ok: false, held: ['The batch has no messages.'] }]
}

/** Maps an index, JSON or CSV by its name, and the PDF alongside it, which has the same name. */
async function mapPair({ bytes, file }: Message, settings: MapFile): Promise<Mapped> {
  const { dir, name, ext } = parse(file)
  const kind = indexKinds.find((known) => `.${known}` === ext.toLowerCase())
  if (kind === undefined) throw new CommandError('--from files: name the index, a file that ends with .json or .csv')
  const entries = await readdir(dir || '.')
  const pdf = entries.find((entry) => entry.toLowerCase() === `${name}.pdf`.toLowerCase())
  return mapFiles(
    { index: bytes, kind, pdf: pdf === undefined ? null : await bytesIn(join(dir, pdf), 'the PDF', false) },
    settings,
  )
}
