/** `countersign conform`: does a host keep to the interface? It creates tasks there, withdraws them again, and signs nothing. */
import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { systemClock } from '../../../lib/clock.ts'
import { type CallbackReceiver, openReceiver } from '../../../lib/conform/callback-receiver.ts'
import { type LeftOver, orCleanUp } from '../../../lib/conform/clean-up.ts'
import { conform, type Finding } from '../../../lib/conform/conform.ts'
import { sendPlainly } from '../../../lib/conform/exchange.ts'
import { createHost, type Host } from '../../../lib/conform/host.ts'
import { learn } from '../../../lib/conform/learn/learn.ts'
import { profileFrom } from '../../../lib/conform/learn/learnt.ts'
import { countsInWords, leftInWords, type Report, reportOf } from '../../../lib/conform/report/report.ts'
import { rules as allRules } from '../../../lib/conform/rules/rules.ts'
import { createStage, type Stage } from '../../../lib/conform/stage/stage.ts'
import { unhurried } from '../../../lib/conform/unhurried.ts'
import type { HostProfile } from '../../../lib/profile/host-profile.ts'
import { defaultProfile } from '../../../lib/profile/parse-profile.ts'
import { Command } from '../command/command.ts'
import { CommandError } from '../command/command-error.ts'
import { printLine } from '../command/print-line.ts'
import { profileIn } from '../command/profile-in.ts'
import { mayCreate } from './consent.ts'
import { type ConformGiven, settingsOf } from './settings.ts'
import { writerOf } from './writers.ts'

export const command = new Command('conform')
  .description('does a host keep to the interface? Tries every rule on it, and signs nothing')
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
  .option('--yes', 'do not ask before tasks are created')
  .option('--json', 'the counts as one line of JSON')
  .addHelpText(
    'after',
    `
In the environment: COUNTERSIGN_KEY and COUNTERSIGN_SECOND_KEY, instead of --key and
--second-key. Other users of the machine see what stands in the command line.

It creates about a dozen tasks for a patient who does not exist, withdraws them, and
ends the subscriptions that it makes. Tasks that ended otherwise stay at the host.

Exit code: 0 every rule that could be tried holds
           1 the host deviates from at least one, or Ctrl+C ended the test
           2 it was called wrongly`,
  )
  .action(run)

async function run(given: ConformGiven): Promise<void> {
  const settings = settingsOf(given, process.env)
  const profile = given.profile === undefined ? defaultProfile : await profileIn(given.profile)
  await mayCreate(settings.baseUrl, given.yes === true)

  const { keys, signerNpi, patienceMs } = settings
  const { baseUrl, basePath } =
    given.learn === undefined ? { ...settings, ...profile } : placeOf(settings.baseUrl, profile)
  const host = createHost({
    baseUrl,
    keys,
    profile: { ...profile, basePath },
    send: unhurried(sendPlainly, systemClock),
  })
  const receiver = await receiverOf(settings)
  try {
    const stage = createStage({ host, receiver, clock: systemClock, newId: randomUUID, signerNpi, patienceMs })
    const mustGoOn = interruption()
    const work = async () => {
      if (given.learn !== undefined) await learnInto(given.learn, host, stage, given.name)
      mustGoOn()
      return conform(host, stage, allRules, (finding) => {
        tell(finding)
        mustGoOn()
      })
    }
    const conformance = await orCleanUp(host, stage, work, tellWithdrawn)
    const secrets = Object.values(keys).filter((key) => key !== undefined)
    const report = reportOf(conformance, { baseUrl, at: new Date(), secrets })
    if (given.report !== undefined) await writeFile(given.report, writerOf(given.report)(report))
    conclude(report, given.json === true)
  } finally {
    await receiver?.stop()
  }
}

/** Returns a function that throws once Ctrl+C was pressed, so that what was made is taken away first. Pressed again, it ends at once. */
function interruption(): () => void {
  let isInterrupted = false
  process.once('SIGINT', () => {
    isInterrupted = true
  })
  return () => {
    if (isInterrupted) throw new Error('Interrupted.')
  }
}

const tellWithdrawn = (left: LeftOver): void =>
  void process.stderr.write(`${leftInWords(left) || 'What had been created was withdrawn.'}\n`)

/** A path in the URL is learnt as the base path of the host. */
function placeOf(url: string, { basePath }: HostProfile): { baseUrl: string; basePath: string } {
  const { origin, pathname } = new URL(url)
  return { baseUrl: origin, basePath: pathname.replace(/\/+$/, '') || basePath }
}

async function learnInto(file: string, host: Host, stage: Stage, name: string | undefined): Promise<void> {
  const learnt = await learn(host, stage, name)
  for (const { path, value, how, why } of learnt)
    process.stderr.write(
      `${how.padEnd(9)}  ${path}${value === undefined ? '' : ` ${JSON.stringify(value)}`} (${why})\n`,
    )
  await writeFile(file, `${JSON.stringify(profileFrom(learnt), null, 2)}\n`)
}

/** Without a public URL only a host on this machine can call back. */
async function receiverOf(settings: ReturnType<typeof settingsOf>): Promise<CallbackReceiver | null> {
  const { receiverPort: port, receiverUrl: publicUrl, baseUrl } = settings
  const isHere = ['127.0.0.1', 'localhost', '[::1]'].includes(new URL(baseUrl).hostname)
  if (publicUrl === undefined && !isHere) return null
  return openReceiver({ port, publicUrl }).catch(() => {
    throw new CommandError('--receiver-port: this port cannot be opened; 0 takes a free one.')
  })
}

const MARKS = { holds: 'holds    ', deviates: 'DEVIATES ', 'not tried': 'not tried' } as const

function tell({ group, name, result, why }: Finding): void {
  process.stderr.write(`${MARKS[result]}  ${group}: ${name}${why === null ? '' : ` (${why})`}\n`)
}

function conclude(report: Report, isJson: boolean): void {
  const { counts, left, rules } = report
  const { holds, deviates, 'not tried': notTried } = counts
  const words = countsInWords(report)
  if (isJson) printLine({ holds, deviates, notTried, left })
  else process.stdout.write(`Of ${rules.length} rules, ${words.holds}, ${words.deviates}, ${words['not tried']}.\n`)
  const stillThere = leftInWords(left)
  if (stillThere) process.stderr.write(`${stillThere}\n`)
  process.exitCode = deviates > 0 ? 1 : 0
}
