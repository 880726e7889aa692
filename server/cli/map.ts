/** `countersign map`: what becomes of a message? Reads a file or standard input, and sends nothing. */
import { buffer } from 'node:stream/consumers'
import { mapFhir } from '../../lib/mapping/map-fhir.ts'
import { type MapFile, readMapFile } from '../../lib/mapping/map-file.ts'
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
const kinds = {
  hl7: mapHl7,
  fhir: (bytes: Uint8Array, map: MapFile): Mapped => mapFhir(jsonIn(bytes), map),
} as const

export const command = new Command('map')
  .description('what becomes of a message: the request that is sent, or the reasons why it is held')
  .argument('<FILE|->', 'the message; - reads standard input')
  .needs('--from <hl7|fhir>', 'what the message is')
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
  if (!Object.hasOwn(kinds, from)) throw new CommandError(`--from: one of ${Object.keys(kinds).join(', ')}`)
  const settings = { ...(await mapIn(mapFile)), ...(await mapTables(table)) }
  const message = file === '-' ? await buffer(process.stdin) : await bytesIn(file, 'the message')
  const mapped = kinds[from as keyof typeof kinds](message, settings)
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

/** Undefined, which is no resource, when it is not JSON. */
function jsonIn(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString())
  } catch {
    return undefined
  }
}
