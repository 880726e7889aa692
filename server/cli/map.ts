/** `countersign map`: what becomes of a message? Reads a file or standard input, and sends nothing. */
import { buffer } from 'node:stream/consumers'
import type { Mapped } from '../../lib/mapping/mapped.ts'
import { Command, type Shell } from './command/command.ts'
import { CommandError } from './command/command-error.ts'
import { printLine } from './command/print-line.ts'
import { bytesIn } from './mapping/bytes-in.ts'
import type { Kind } from './mapping/map-message.ts'

interface Given {
  from: string
  map?: string
  table?: string[]
  explain?: boolean
}

const KINDS: readonly Kind[] = ['hl7', 'fhir', 'files']

export const command = new Command('map')
  .argument('<FILE|->', 'the message, or the index next to its PDF; - reads standard input')
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
is sent. The body holds the patient and the document of the message. A batch of HL7 v2 (FHS,
BHS) gives a line for each of its messages.

Exit code: 0 it becomes a request, or each message of a batch does
           1 it is held, or a message of a batch is
           2 it was called wrongly, or a file cannot be read`,
  )
  .action((file: string, given: Given, { shell }: Command) => map(file, given, shell))

async function map(file: string, { from, map: mapFile, table = [], explain = false }: Given, shell: Shell) {
  const kind = KINDS.find((known) => known === from)
  if (kind === undefined) throw new CommandError(`--from: one of ${KINDS.join(', ')}`)
  // Loaded only now, so that help and wrong options are answered at once.
  const [{ mapIn }, { mapTables }, { mapMessages }] = await Promise.all([
    import('./mapping/map-in.ts'),
    import('./mapping/map-tables.ts'),
    import('./mapping/map-message.ts'),
  ])
  const settings = { ...(await mapIn(mapFile)), ...(await mapTables(table)) }
  const bytes = file === '-' ? await buffer(shell.stdin) : await bytesIn(file, 'the message')
  const all = await mapMessages(kind, { bytes, file }, settings)
  for (const mapped of all) printLine(shell, explain ? mapped : withoutOrigins(mapped))
  shell.exitCode = all.every(({ ok }) => ok) ? 0 : 1
}

function withoutOrigins(mapped: Mapped) {
  if (!mapped.ok || mapped.action === 'retract') return mapped
  const { origins: _, ...rest } = mapped
  return rest
}
