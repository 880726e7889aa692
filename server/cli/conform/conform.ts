/** `countersign conform`: does a host keep to the interface? It creates tasks there, withdraws them again, and signs nothing. */
import { Command, type Shell } from '../command/command.ts'
import { CommandError } from '../command/command-error.ts'
import { namedFile } from '../command/named-file.ts'
import { mayCreate } from './consent.ts'
import { type ConformGiven, settingsOf } from './settings.ts'

export const command = new Command('conform')
  .needs('--url <URL>', 'the host, as a client names it')
  .option('--key <KEY>', 'API key of a test organization; better in COUNTERSIGN_KEY')
  .option('--second-key <KEY>', 'key of another organization, to see that neither sees the other')
  .option('--profile <FILE>', 'how the host speaks, a JSON file (default: as the interface is worded)')
  .option('--learn <FILE>', 'find out how the host speaks first, and write its profile; --profile says what is known')
  .option('--name <NAME>', 'what people call the host; --learn tries it in the names of headers')
  .option(
    '--signer <NPI>',
    'an active signer, whose inbox the tasks pass through; the default is one of the demo',
    '9999900035',
  )
  .option('--receiver-port <NUMBER>', 'where to listen for callbacks; 0 takes a free one', '0')
  .option('--receiver-url <URL>', 'how the host reaches that port; needed when the host is elsewhere')
  .option('--patience <SECONDS>', 'how long a task may take to become Pending, and a callback to come', '60')
  .option('--report <FILE.html|.json|.xml>', 'write a report; .xml is JUnit, for CI')
  .option('--compare <FILE.json>', 'say which rules ended otherwise than in this earlier report')
  .option('--yes', 'do not ask before tasks are created')
  .option('--json', 'the counts as one line of JSON')
  .addHelpText(
    'after',
    `
In the environment: COUNTERSIGN_KEY and COUNTERSIGN_SECOND_KEY, instead of --key and
--second-key. Other users of the machine can see the command line.

It creates about a dozen tasks for a patient who does not exist, withdraws them, and
ends the subscriptions that it makes. Tasks that ended otherwise stay at the host.

Exit code: 0 every rule that could be tried holds
           1 the host deviates from at least one, or Ctrl+C ended the test
           2 it was called wrongly`,
  )
  .action((given: ConformGiven, { shell }: Command) => conform(given, shell))

async function conform(given: ConformGiven, shell: Shell): Promise<void> {
  const settings = settingsOf(given, shell.env)
  // Loaded only now, so that help and wrong options are answered at once.
  const { profileOfHost, tryHost } = await import('./try-host.ts')
  const earlier = given.compare === undefined ? null : await earlierReport(given.compare)
  const profile = await profileOfHost(given.profile)
  await mayCreate(settings.baseUrl, given.yes === true, shell)
  await tryHost({ ...given, earlier }, settings, profile, shell)
}

/** Reads it before anything is created at the host. Throws a CommandError that quotes nothing of the file. */
async function earlierReport(file: string) {
  const { EarlierReport } = await import('../../../lib/conform/report/compare.ts')
  const bytes = namedFile(file, '--compare')
  try {
    return EarlierReport.parse(JSON.parse(bytes.toString()))
  } catch {
    throw new CommandError('--compare: a file that countersign conform --report FILE.json wrote.')
  }
}
