/** `countersign rehearse`: does a flow of Node-RED keep its promises when the host, the signers and its own process do not? */
import { readFile, writeFile } from 'node:fs/promises'
import { extname } from 'node:path'
import type { ReportedRule } from '../../../lib/conform/report/report.ts'
import { Command, type Shell } from '../command/command.ts'
import { CommandError } from '../command/command-error.ts'
import { printLine } from '../command/print-line.ts'
import type { Evidence } from './verdict.ts'

interface Given {
  nodeRed?: string
  only?: string[]
  quiet: string
  report?: string
  json?: boolean
}

export const command = new Command('rehearse')
  .argument('<FLOWS>', 'an export of Node-RED, a JSON file')
  .option('--node-red <FOLDER>', 'where Node-RED is installed (default: here, or next to this package)')
  .repeatable('--only <SCENARIO>', 'play only this scenario; may be given several times')
  .option('--quiet <SECONDS>', 'how long a flow that has nothing to do is watched before it counts as done', '4')
  .option('--report <FILE.html|.json|.xml>', 'write a report; .xml is JUnit, for CI')
  .option('--json', 'the counts as one line of JSON')
  .addHelpText(
    'after',
    `
It starts a real Node-RED with a copy of the flows and a sandbox that exists only for the
rehearsal. No host is called by the nodes of this package, and nothing of yours is changed.
Nodes of other packages do what they do: do not rehearse flows that write into a production system.

Exit code: 0 every invariant holds in every scenario
           1 at least one does not
           2 it was called wrongly`,
  )
  .action((file: string, given: Given, { shell }: Command) => rehearse(file, given, shell))

/** The scenario that is played once for each wire over which a message went. */
const KILLED = 'killed'

async function rehearse(file: string, given: Given, shell: Shell): Promise<void> {
  const quietMs = Number(given.quiet) * 1000
  if (!(quietMs > 0 && quietMs <= 600_000)) throw new CommandError('--quiet: a number of seconds, up to 600.')
  if (given.report !== undefined && !['.html', '.json', '.xml'].includes(extname(given.report)))
    throw new CommandError('--report: a file that ends in .html, .json or .xml.')
  const [{ Export, nameOf }, { scenarios }, { redOf }] = await Promise.all([
    import('./rehearsed-flow.ts'),
    import('./scenarios.ts'),
    import('./node-red.ts'),
  ])
  const names = [...scenarios.map(({ name }) => name), KILLED]
  if (given.only?.some((name) => !names.includes(name))) throw new CommandError(`--only: one of ${names.join(', ')}.`)
  const parsed = Export.safeParse(await jsonIn(file))
  if (!parsed.success) throw new CommandError(`${file} is not an export of Node-RED: an array of nodes.`)
  const stage = { red: redOf(given.nodeRed), nodes: parsed.data, quietMs, limitMs: 60_000 + quietMs }

  const { play, wiresIn } = await import('./play.ts')
  const { failuresIn } = await import('./verdict.ts')
  const { rulesOf } = await import('./rules-of.ts')
  const isChosen = (name: string) => given.only === undefined || given.only.includes(name)
  const rules: ReportedRule[] = []
  const judge = (evidence: Evidence) => {
    const failures = failuresIn(evidence)
    for (const { sentence } of failures) shell.stdout.write(`${sentence}\n`)
    rules.push(...rulesOf(evidence.scenario, failures))
  }
  for (const scenario of scenarios.filter(({ name }) => isChosen(name))) judge(await play(stage, scenario))
  if (isChosen(KILLED)) {
    const evidence = await play(stage, scenarios[0]!)
    for (const wire of wiresIn(evidence)) {
      const [from, to] = [wire.from, wire.to].map((id) => nameOf(stage.nodes.find((node) => node.id === id)!))
      judge(await play(stage, { ...scenarios[0]!, name: `${KILLED} between ${from} and ${to}` }, wire))
    }
  }
  const bad = rules.filter(({ result }) => result === 'deviates').length
  if (given.report !== undefined) {
    const { writerOf } = await import('../conform/writers.ts')
    const counts = { holds: rules.length - bad, deviates: bad, 'not tried': 0 }
    const left = { taskIds: [], subscriptionIds: [] }
    const report = { host: file, at: new Date().toISOString(), counts, rules, left }
    await writeFile(given.report, writerOf(given.report)(report))
  }
  if (given.json) printLine(shell, { holds: rules.length - bad, deviates: bad })
  else shell.stdout.write(`${rules.length - bad} hold, ${bad} do not.\n`)
  if (bad > 0) shell.exitCode = 1
}

async function jsonIn(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, 'utf8'))
  } catch {
    throw new CommandError(`${file} cannot be read as JSON.`)
  }
}
