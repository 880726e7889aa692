/** `countersign map`: what becomes of a message? Reads a file or standard input, and sends nothing. */
import { readdir } from 'node:fs/promises'
import { join, parse } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { indexKinds } from '../../lib/mapping/files/read-index.ts'
import { mapFhir } from '../../lib/mapping/map-fhir.ts'
import { type MapFile, readMapFile } from '../../lib/mapping/map-file.ts'
import { mapFiles } from '../../lib/mapping/map-files.ts'
import { mapHl7 } from '../../lib/mapping/map-hl7.ts'
import type { Mapped } from '../../lib/mapping/mapped.ts'
import { SettingsError } from '../../lib/settings.ts'
import { Command } from './command/command.ts'
import { CommandError } from './command/command-error.ts'
import { printLine } from './command/print-line.ts'
import { bytesIn } from './mapping/bytes-in.ts'
import { mapTables } from './mapping/map-tables.ts'

interface Given {
  from: string
  map?: string
  table?: string[]
  explain?: boolean
}

/** How a message of each kind is mapped. */
const kinds: Record<string, (message: Message, map: MapFile) => Mapped | Promise<Mapped>> = {
  hl7: ({ bytes }, map) => mapHl7(bytes, map),
  fhir: ({ bytes }, map) => mapFhir(jsonIn(bytes), map),
  files: mapPair,
}

interface Message {
  bytes: Uint8Array
  /** `-` for standard input. */
  file: string
}

export const command = new Command('map')
  .description('what becomes of a message: the request that is sent, or the reasons why it is held')
  .argument('<FILE|->', 'the message, or the index beside its PDF; - reads standard input')
  .needs('--from <hl7|fhir|files>', 'what the message is')
  .option('--map <FILE>', 'codes, ids and choices of its sender, a JSON file')
  .repeatable(
    '--table <NAME=FILE>',
    'documentTypes, organizations or signers from a CSV file, in the place of those in the map',
  )
  .option('--explain', 'add "origins": where in the message the fields of the request come from')
  .option('--json', 'print a line of JSON, as it does in any case')
  .addHelpText(
    'after',
    `
Prints {"ok":true,"action","body","warnings"} or {"ok":false,"held":[reasons]}. Nothing
is sent. The body holds the patient and the document of the message.

Exit code: 0 it becomes a request
           1 it is held
           2 it was called wrongly, or a file cannot be read`,
  )
  .action(map)

async function map(file: string, { from, map: mapFile, table = [], explain = false }: Given): Promise<void> {
  const mapMessage = Object.hasOwn(kinds, from) ? kinds[from] : undefined
  if (mapMessage === undefined) throw new CommandError(`--from: one of ${Object.keys(kinds).join(', ')}`)
  const settings = { ...(await mapIn(mapFile)), ...(await mapTables(table)) }
  const bytes = file === '-' ? await buffer(process.stdin) : await bytesIn(file, 'the message')
  const mapped = await mapMessage({ bytes, file }, settings)
  printLine(explain ? mapped : withoutOrigins(mapped))
  process.exitCode = mapped.ok ? 0 : 1
}

function withoutOrigins(mapped: Mapped) {
  if (!mapped.ok || mapped.action === 'retract') return mapped
  const { origins: _, ...rest } = mapped
  return rest
}

async function mapIn(file: string | undefined): Promise<MapFile> {
  const bytes = file === undefined ? '{}' : await bytesIn(file, '--map')
  try {
    return readMapFile(JSON.parse(bytes.toString()))
  } catch (failure) {
    if (failure instanceof SettingsError) throw new CommandError(`--map: ${failure.errors.join('; ')}`)
    throw new CommandError('--map: this file is not JSON.')
  }
}

/** Of an index, JSON or CSV by its name, and the PDF beside it, which has the same name. */
async function mapPair({ bytes, file }: Message, settings: MapFile): Promise<Mapped> {
  const { dir, name, ext } = parse(file)
  const kind = indexKinds.find((known) => `.${known}` === ext.toLowerCase())
  if (kind === undefined) throw new CommandError('--from files: name the index, a file that ends with .json or .csv')
  const entries = await readdir(dir || '.')
  const pdf = entries.find((entry) => entry.toLowerCase() === `${name}.pdf`.toLowerCase())
  return mapFiles(
    { index: bytes, kind, pdf: pdf === undefined ? null : await bytesIn(join(dir, pdf), 'the PDF') },
    settings,
  )
}

/** Undefined, which is no resource, when it is not JSON. */
function jsonIn(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString())
  } catch {
    return undefined
  }
}
