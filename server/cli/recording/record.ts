/** `countersign record`: a proxy that writes down what a host answers, without what is private. Prints no key and no patient. */
import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { pino } from 'pino'
import { profileOf } from '../../../lib/profile/parse-profile.ts'
import { FORMAT } from '../../recording/exchange.ts'
import { makeFolder, writeExchange } from '../../recording/folder.ts'
import { createRecorder } from '../../recording/recorder.ts'
import { createStandIns } from '../../recording/stand-ins.ts'
import { Command } from '../command/command.ts'
import { CommandError } from '../command/command-error.ts'
import { printLine } from '../command/print-line.ts'
import { profileIn } from '../command/profile-in.ts'
import { forFolder, openPort, portOf, stoppedBySignal } from './listening.ts'

interface Given {
  url: string
  listen: string
  out: string
  profile?: string
  json?: boolean
}

export const command = new Command('record')
  .description('forward calls to a host and write down its answers, without what is private')
  .needs('--url <URL>', 'where the host is')
  .needs('--listen <PORT>', 'port of this machine to send the calls to; 0 takes a free one')
  .needs('--out <FOLDER>', 'new folder for the recording')
  .option('--profile <FILE>', 'how the host speaks, a JSON file (default: as the interface is worded)')
  .option('--json', 'print lines of JSON, as it does in any case')
  .addHelpText(
    'after',
    `
Give its baseUrl to the client, or to the service node. Each exchange becomes a
file. Ids, statuses, flags, times and coordinates are kept; documents, keys,
names, dates and all other text have stand-ins; what the interface does not know
is left out. Stop it with Ctrl-C. countersign serve --replay answers with it.`,
  )
  .action(record)

async function record({ url: given, listen, out, profile: profileFile }: Given): Promise<void> {
  const url = hostOf(given)
  const port = portOf(listen, '--listen')
  const profile = profileOf(profileFile === undefined ? undefined : await profileIn(profileFile))
  const recording = randomUUID()
  await makeFolder(out, { format: FORMAT, recording, profile }).catch(forFolder('--out'))

  // Loaded only now, so that help and wrong options are answered at once.
  const { pageCountInViewer } = await import('../../pdf/compare/pictures.ts')
  const log = pino({ base: null }, pino.destination(2))
  const recorder = createRecorder({
    url,
    profile,
    recording,
    standIns: createStandIns(pageCountInViewer),
    write: (exchange) => writeExchange(out, exchange),
    onFailure: (facts) => log.warn(facts, 'a call was not recorded'),
  })
  const server = createServer(recorder.handle)
  const baseUrl = await openPort(server, port, '127.0.0.1')
  printLine({ baseUrl, out })
  await stoppedBySignal(server)
  printLine(await recorder.settled())
}

/** Keys do not belong into a URL, where others see them. */
function hostOf(given: string): string {
  const url = URL.parse(given)
  const isHost = url && /^https?:$/.test(url.protocol) && !url.username && !url.password && !url.search && !url.hash
  if (!isHost)
    throw new CommandError('--url: where the host is, such as https://host.example.org, without a key or parameters')
  return url.href
}
