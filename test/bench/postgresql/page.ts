/** The page about PostgreSQL, made of what was measured. Pure. */
import { availableParallelism } from 'node:os'
import { median, rounded, spread } from '../overview/row.ts'
import { table } from '../pages/table.ts'
import { type Measured, SUBSCRIPTIONS } from './measure.ts'
import { AT_ONCE } from './storm.ts'
import { SAMPLE_EVERY_MS, type Taker } from './watch.ts'

export interface Figures {
  /** By number of processes. */
  scaled: readonly Measured[]
  /** By number of connections. */
  pooled: readonly Measured[]
  /** Changes that the audit log lets through in a second. */
  chainCommits: number
}

const TASKS_A_MONTH = 10_000_000
/** Of working days, and how much more the busiest hour has than the others. */
const WORKING_HOURS = 22 * 10
const BUSIEST = 2
/** How busy processors may be planned to be. */
const PLANNED_LOAD = 0.7
/** From here on, processors are the limit. */
const BUSY = 0.85
/** Connections that are busy with something less often are not told of. */
const SELDOM = 0.05
const AUDIT_LOCK = 'Lock: advisory'

export function pageOf(figures: Figures): string {
  return [
    `Orders of 36 kB are created over ${AT_ONCE} connections for some seconds, by one sender with one subscription. Rates are tasks per
second: until all creates are answered with 201, until all are in the inbox, and until the receiver has been told of each. Callbacks
are told of retracts that are committed at once, to ${SUBSCRIPTIONS} subscriptions. Sender, receiver and PostgreSQL share the ${availableParallelism()} processors with the
service. PostgreSQL has its settings as they come, and waits for the disk at each commit.`,
    throughput(figures),
    limits(figures),
    auditLog(figures),
    pool(figures),
    onPaper(figures),
  ].join('\n\n')
}

function throughput({ scaled }: Figures): string {
  const rows = scaled.map(({ processes, storms, delivered }) => [
    processes,
    ...(['created', 'ingested', 'told'] as const).map((rate) => shown(storms.map((storm) => storm[rate]))),
    shown(delivered),
  ])
  return table(['processes', 'created', 'and ingested', 'and told', 'callbacks'], rows)
}

function limits({ scaled }: Figures): string {
  const takers: readonly Taker[] = ['service', 'postgresql', 'load', 'others']
  const share = ({ storms }: Measured, who: Taker) => median(storms.map(({ processors }) => processors[who]))
  const rows = scaled.map((measured) => [
    measured.processes,
    ...takers.map((who) => percent(share(measured, who))),
    doing(middle(measured)),
  ])
  const best = bestOf(scaled)
  const busy = takers.reduce((sum, who) => sum + share(best, who), 0)
  return `## What limits it

How much of all processors each takes during the creates, with the sender and the receiver as load; and what connections to
PostgreSQL were busy with (\`pg_stat_activity\`, every ${SAMPLE_EVERY_MS} ms; an open transaction waits for the service to say what comes next).

${table(['processes', 'service', 'PostgreSQL', 'load', 'others', 'busy connections, on average'], rows)}

The processors are ${busy >= BUSY ? 'the limit' : 'not the limit'}: at the highest rate, ${percent(busy)} of them are taken. A task takes ${rounded(processorMs(best, 'service'))} ms of a processor in the
service until it is in the inbox, and ${rounded(processorMs(best, 'postgresql'))} ms in PostgreSQL.`
}

function auditLog({ scaled, chainCommits }: Figures): string {
  const perTask = median(bestOf(scaled).storms.map(({ audited, tasks }) => audited / tasks))
  const waiting = scaled.map((measured) => {
    const found = middle(measured).connections.find(([what]) => what === AUDIT_LOCK)
    return `${(found?.[1] ?? 0).toFixed(1)} with ${measured.processes}`
  })
  return `Beyond the processors, the audit log is the limit. Each change continues its chain as the last step of the transaction, under a
lock that it holds until the commit has ended (\`${AUDIT_LOCK}\`). Clients that do nothing else come to ${rounded(chainCommits)} commits a second on this
disk; a task needs ${perTask.toFixed(1)} until it is in the inbox, so no number of processes comes to more than ${rounded(chainCommits / perTask)} tasks a second. A process that
has to wait for a processor meanwhile holds the lock for longer. Connections that waited for it, on average, by number of processes:
${waiting.join(', ')}.`
}

function pool({ pooled }: Figures): string {
  const rows = pooled.map(({ connections, storms }) => [
    connections,
    shown(storms.map(({ created }) => created)),
    shown(storms.map(toldOf)),
    Math.max(...storms.map(({ mostBusy }) => mostBusy)),
  ])
  return `## Connections

${pooled[0]!.processes} processes with \`--store-connections\` each, and the most connections of all that were busy at once:

${table(['connections', 'created', 'and told', 'most busy'], rows)}`
}

function onPaper({ scaled }: Figures): string {
  const best = bestOf(scaled)
  const perSecond = TASKS_A_MONTH / (WORKING_HOURS * 3600)
  const processors = (who: 'service' | 'postgresql') =>
    ((perSecond * BUSIEST * processorMs(best, who)) / 1000 / PLANNED_LOAD).toFixed(1)
  return `## 10 million tasks a month

In ${WORKING_HOURS} hours of work they are ${perSecond.toFixed(1)} a second, and ${(perSecond * BUSIEST).toFixed(1)} in hours with twice as many. By the processor time of a task, at ${PLANNED_LOAD * 100} % of what
processors can do, creates and ingestion then take ${processors('service')} processors like these for the service, and ${processors('postgresql')} for PostgreSQL. Signing
comes on top: \`npm run bench -- overview\` measures it.`
}

const toldOf = ({ told }: { told: number }): number => told

const bestOf = (scaled: readonly Measured[]): Measured =>
  scaled.reduce((a, b) => (median(b.storms.map(toldOf)) > median(a.storms.map(toldOf)) ? b : a))

/** The run with the middle rate. */
const middle = ({ storms }: Measured) => storms.toSorted((a, b) => a.told - b.told)[Math.floor(storms.length / 2)]!

const doing = ({ connections }: Measured['storms'][number]): string =>
  connections
    .filter(([, count]) => count >= SELDOM)
    .map(([what, count]) => `${count.toFixed(1)} ${what}`)
    .join('; ')

/** Milliseconds of one processor for each task. */
const processorMs = ({ storms }: Measured, who: Taker): number =>
  median(
    storms.map(({ processors, seconds, tasks }) => (processors[who] * availableParallelism() * seconds * 1000) / tasks),
  )

const percent = (share: number): string => `${(share * 100).toFixed(0)} %`
const shown = (values: readonly number[]): string => `${rounded(median(values))} (${spread(values)})`
