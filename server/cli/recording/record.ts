/** `countersign record`: a proxy that writes down what a host answers, without what is private. Prints no key and no patient. */
import { Command, type Shell } from '../command/command.ts'
import { CommandError } from '../command/command-error.ts'
import { portOf } from './port-of.ts'

interface Given {
  url: string
  listen: string
  out: string
  profile?: string
  json?: boolean
}

export const command = new Command('record')
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
is omitted. Stop it with Ctrl-C. countersign serve --replay answers with it.`,
  )
  .action((given: Given, { shell }: Command) => record(given, shell))

async function record({ url, listen, ...more }: Given, shell: Shell): Promise<void> {
  const place = { url: hostOf(url), port: portOf(listen, '--listen') }
  // Loaded only now, so that help and wrong options are answered at once.
  const { recordCalls } = await import('./record-calls.ts')
  return recordCalls({ ...place, ...more }, shell)
}

/** Keys do not belong into a URL, where others see them. */
function hostOf(given: string): string {
  const url = URL.parse(given)
  const isHost = url && /^https?:$/.test(url.protocol) && !url.username && !url.password && !url.search && !url.hash
  if (!isHost)
    throw new CommandError('--url: where the host is, such as https://host.example.org, without a key or parameters')
  return url.href
}
