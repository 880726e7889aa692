/** `countersign rehearse`: does a flow of Node-RED keep its promises when the host, the signers and its own process do not? */
import { rmSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, extname, join, resolve } from 'node:path'
import { Command, type Shell } from '../command/command.ts'
import { CommandError } from '../command/command-error.ts'
import { jsonIn, namedFile } from '../command/named-file.ts'
import { printLine } from '../command/print-line.ts'
import type { Played, Rehearsal } from './rehearsal.ts'
import type { sentenceOf as Sentence } from './verdict.ts'

interface Given {
  nodeRed?: string
  only?: string[]
  messages?: string[]
  allow?: string[]
  report?: string
  json?: boolean
}

export const command = new Command('rehearse')
  .argument('<FLOWS.json>', 'an export of Node-RED')
  .repeatable(
    '--messages <FILE>',
    'HL7 (.hl7), FHIR (.json), or a PDF with its index, in place of the samples; may be repeated',
  )
  .repeatable('--only <SCENARIO>', 'play only this scenario, such as "answers lost" or killed; may be repeated')
  .repeatable('--allow <TYPE>', 'start nodes of this type of another package; may be repeated')
  .option('--node-red <FOLDER>', 'where Node-RED is installed (default: here, or next to this package)')
  .option('--report <FILE.html|.json|.xml>', 'write a report; .xml is JUnit, for CI')
  .option('--json', 'the counts as one line of JSON')
  .addHelpText(
    'after',
    `
It plays a copy of the flows in a Node-RED and against a sandbox that exist only for the
rehearsal. That Node-RED reaches nothing else: connections to other systems are refused,
files stay in a temporary folder, and nodes of other packages are not started.

Exit code: 0 every invariant holds in every scenario
           1 at least one does not, or Ctrl+C ended the rehearsal
           2 it was called wrongly`,
  )
  .action((file: string, given: Given, { shell }: Command) => run(file, given, shell))

/** How many scenarios are played at once: one for each core of a small machine. */
const STAGES = 2
const REPORTS = ['.html', '.json', '.xml']

async function run(file: string, given: Given, shell: Shell): Promise<void> {
  if (given.report !== undefined && !REPORTS.includes(extname(given.report)))
    throw new CommandError('--report: a file that ends in .html, .json or .xml.')
  const messages = (given.messages ?? []).map((name) => resolve(name))
  for (const name of messages) namedFile(name, `--messages ${name}`)
  const [{ Export, unsafeTypes }, { scenarios, KILLED }, { killAll, redOf }] = await Promise.all([
    import('./rehearsed-flow.ts'),
    import('./scenarios.ts'),
    import('./node-red.ts'),
  ])
  const names = [...scenarios.map(({ name }) => name), KILLED]
  if (given.only?.some((name) => !names.includes(name))) throw new CommandError(`--only: one of ${names.join(', ')}.`)
  const parsed = Export.safeParse(jsonIn(file, 'FLOWS.json'))
  if (!parsed.success) throw new CommandError(`FLOWS.json: ${file} is not an export of Node-RED, an array of nodes.`)
  const unsafe = unsafeTypes(parsed.data, given.allow ?? [])
  if (unsafe.length > 0)
    throw new CommandError(
      `FLOWS.json: nodes of the type ${unsafe.join(', ')} may act on other systems. Remove them, or name each type with --allow.`,
    )
  const red = redOf(given.nodeRed)

  const began = performance.now()
  const { nothing, played } = await inFolder(killAll, async (folder, onEnd) => {
    const [{ openStage }, { rehearse }, { createSharedPool }, { sentenceOf }] = await Promise.all([
      import('./play.ts'),
      import('./rehearsal.ts'),
      import('./world.ts'),
      import('./verdict.ts'),
    ])
    const pool = createSharedPool()
    const count = given.only?.length === 1 && given.only[0] !== KILLED ? 1 : STAGES
    const stages: ReturnType<typeof openStage>[] = []
    const open = () => {
      for (let left = count; left > 0; left--) stages.push(openStage(red, { folder, messages, pool }))
      return stages
    }
    onEnd(async () => {
      for (const stage of stages) await stage.then(({ red: started }) => started.stop()).catch(() => {})
      await pool.close()
    })
    const onPlayed = given.json ? () => {} : printer(shell, sentenceOf)
    return rehearse(open, { nodes: parsed.data, only: given.only, onPlayed })
  })
  await report({ nothing, played }, file, given.report)
  summarize({ nothing, played }, (performance.now() - began) / 1000, given, shell)
}

/** Runs in a temporary folder that is removed in the end, also when Ctrl+C ends the process. */
async function inFolder<T>(
  killAll: () => void,
  work: (folder: string, onEnd: (end: () => Promise<void>) => void) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-rehearsal-'))
  let end = async () => {}
  const onSignal = () => {
    killAll()
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
    process.exit(1)
  }
  process.once('SIGINT', onSignal).once('SIGTERM', onSignal)
  try {
    return await work(folder, (given) => {
      end = given
    })
  } finally {
    process.off('SIGINT', onSignal).off('SIGTERM', onSignal)
    await end()
    await rm(folder, { recursive: true, force: true, maxRetries: 3 })
  }
}

/** Prints each scenario as it ends. A failure that was printed before is only named again by its number. */
function printer(shell: Shell, sentenceOf: typeof Sentence): (played: Played) => void {
  const printed = new Map<string, number>()
  return ({ scenario, seconds, failures, skipped, refused }) => {
    const numbers = failures.map(({ text }) => {
      const isNew = !printed.has(text)
      if (isNew) printed.set(text, printed.size + 1)
      return { text, isNew, number: printed.get(text) }
    })
    const earlier = numbers.filter(({ isNew }) => !isNew).map(({ number }) => number)
    const result = skipped ?? (failures.length === 0 ? 'holds' : 'fails')
    const again = earlier.length > 0 ? `, again with ${earlier.join(', ')}` : ''
    const time = skipped === null ? `  (${seconds.toFixed(0)} s)` : ''
    shell.stdout.write(`${scenario}: ${result}${again}${time}\n`)
    for (const { text, isNew, number } of numbers)
      if (isNew) shell.stdout.write(`  ${number}. ${sentenceOf({ text }, scenario)}\n`)
    for (const what of refused) shell.stdout.write(`  The rehearsal refused ${what}.\n`)
  }
}

async function report({ nothing, played }: Rehearsal, file: string, to: string | undefined): Promise<void> {
  if (to === undefined || nothing !== null) return
  const [{ rulesOf }, { writerOf }] = await Promise.all([import('./rules-of.ts'), import('../conform/writers.ts')])
  const rules = played.flatMap(rulesOf)
  const count = (result: string) => rules.filter((rule) => rule.result === result).length
  const counts = { holds: count('holds'), deviates: count('deviates'), 'not tried': count('not tried') }
  const left = { taskIds: [], subscriptionIds: [] }
  const title = 'Rehearsal'
  writeFileSync(to, writerOf(to)({ title, host: basename(file), at: new Date().toISOString(), counts, rules, left }))
}

function summarize({ nothing, played }: Rehearsal, seconds: number, given: Given, shell: Shell): void {
  const failures = new Set(played.flatMap((one) => one.failures.map(({ text }) => text))).size
  const red = played.filter((one) => one.failures.length > 0).length
  const counts = { scenarios: played.filter(({ skipped }) => skipped === null).length, red, failures }
  if (failures > 0) shell.exitCode = 1
  if (given.json) {
    printLine(shell, { ...counts, ...(nothing !== null && { nothing }) })
    return
  }
  const found = failures === 0 ? 'Every invariant holds' : `${failures} ${failures === 1 ? 'failure' : 'failures'}`
  shell.stdout.write(`${nothing ?? `${found} in ${counts.scenarios} scenarios (${seconds.toFixed(0)} s).`}\n`)
}
