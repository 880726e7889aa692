/** Tries the rules on a host, tells what comes of each, and concludes. */
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
import { type Change, changeInWords, changesBetween, type EarlierReport } from '../../../lib/conform/report/compare.ts'
import { countsInWords, leftInWords, type Report, reportOf } from '../../../lib/conform/report/report.ts'
import { rules as allRules } from '../../../lib/conform/rules/rules.ts'
import { createStage, type Stage } from '../../../lib/conform/stage/stage.ts'
import { unhurried } from '../../../lib/conform/unhurried.ts'
import type { HostProfile } from '../../../lib/profile/host-profile.ts'
import { defaultProfile } from '../../../lib/profile/parse-profile.ts'
import type { Shell } from '../command/command.ts'
import { CommandError } from '../command/command-error.ts'
import { printLine } from '../command/print-line.ts'
import { profileIn } from '../command/profile-in.ts'
import type { ConformGiven, ConformSettings } from './settings.ts'
import { writerOf } from './writers.ts'

/** @param file of `--profile` */
export const profileOfHost = (file: string | undefined): Promise<HostProfile> | HostProfile =>
  file === undefined ? defaultProfile : profileIn(file)

export async function tryHost(
  given: ConformGiven & { earlier: EarlierReport | null },
  settings: ConformSettings,
  profile: HostProfile,
  shell: Shell,
): Promise<void> {
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
      if (given.learn !== undefined) await learnInto(given.learn, host, stage, given.name, shell)
      mustGoOn()
      return conform(host, stage, allRules, (finding) => {
        tell(shell, finding)
        mustGoOn()
      })
    }
    const conformance = await orCleanUp(host, stage, work, (left) => tellWithdrawn(shell, left))
    const secrets = Object.values(keys).filter((key) => key !== undefined)
    const report = reportOf(conformance, { baseUrl, at: new Date(), secrets })
    if (given.report !== undefined) await writeFile(given.report, writerOf(given.report)(report))
    conclude(report, given.earlier && changesBetween(given.earlier, report), given.json === true, shell)
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

const tellWithdrawn = ({ stderr }: Shell, left: LeftOver): void =>
  void stderr.write(`${leftInWords(left) || 'What had been created was withdrawn.'}\n`)

/** A path in the URL is learnt as the base path of the host. */
function placeOf(url: string, { basePath }: HostProfile): { baseUrl: string; basePath: string } {
  const { origin, pathname } = new URL(url)
  return { baseUrl: origin, basePath: pathname.replace(/\/+$/, '') || basePath }
}

async function learnInto(
  file: string,
  host: Host,
  stage: Stage,
  name: string | undefined,
  { stderr }: Shell,
): Promise<void> {
  const learnt = await learn(host, stage, name)
  for (const { path, value, how, why } of learnt)
    stderr.write(`${how.padEnd(9)}  ${path}${value === undefined ? '' : ` ${JSON.stringify(value)}`} (${why})\n`)
  await writeFile(file, `${JSON.stringify(profileFrom(learnt), null, 2)}\n`)
}

/** Without a public URL only a host on this machine can call back. */
async function receiverOf(settings: ConformSettings): Promise<CallbackReceiver | null> {
  const { receiverPort: port, receiverUrl: publicUrl, baseUrl } = settings
  const isHere = ['127.0.0.1', 'localhost', '[::1]'].includes(new URL(baseUrl).hostname)
  if (publicUrl === undefined && !isHere) return null
  return openReceiver({ port, publicUrl }).catch(() => {
    throw new CommandError('--receiver-port: this port cannot be opened; 0 takes a free one.')
  })
}

const MARKS = { holds: 'holds    ', deviates: 'DEVIATES ', 'not tried': 'not tried' } as const

function tell({ stderr }: Shell, { group, name, result, why }: Finding): void {
  stderr.write(`${MARKS[result]}  ${group}: ${name}${why === null ? '' : ` (${why})`}\n`)
}

function conclude(report: Report, changes: readonly Change[] | null, isJson: boolean, shell: Shell): void {
  const { counts, left, rules } = report
  const { holds, deviates, 'not tried': notTried } = counts
  const words = countsInWords(report)
  if (isJson) printLine(shell, { holds, deviates, notTried, left, ...(changes && { changes }) })
  else shell.stdout.write(`Of ${rules.length} rules, ${words.holds}, ${words.deviates}, ${words['not tried']}.\n`)
  if (changes && !isJson) {
    if (changes.length === 0) shell.stdout.write('Every rule ended as before.\n')
    for (const change of changes) shell.stdout.write(`${changeInWords(change)}\n`)
  }
  const stillThere = leftInWords(left)
  if (stillThere) shell.stderr.write(`${stillThere}\n`)
  shell.exitCode = deviates > 0 ? 1 : 0
}
