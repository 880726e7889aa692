/** The page about storage, made of what was measured. Pure. */
import { table } from '../pages/table.ts'
import { type Stored, total } from './measure.ts'
import type { Sizes } from './whole-lives.ts'

const TASKS_A_MONTH = 10_000_000
/** Of PostgreSQL, the ids of rows end there. */
const LAST_ID = 2 ** 31 - 1

export function pageOf(stored: readonly Stored[], sizes: Sizes): string {
  const { tasks } = stored[0]!
  return `${tasks} tasks from create to filed, each of a patient of its own, with one subscription: a document of ${kilo(sizes.received)} kB as it was
received, and of ${kilo(sizes.signed)} kB as it was signed, which is what signing such an order makes of it. Tables are with their indexes;
what object storage holds is not counted: the documents, and 28 bytes for each.

${perTask(stored)}

Then documents and patients of all these tasks are removed, as \`--retain\` does it; PostgreSQL is vacuumed; and as many tasks come
again.

${removal(stored)}

## 10 million tasks a month

${month(stored)}`
}

const kilo = (bytes: number): string => (bytes / 1000).toFixed(0)

/** Which tables are told of in one line. */
const GROUPS: readonly (readonly [name: string, tables: readonly string[]])[] = [
  ['documents', ['document']],
  ['task and patient', ['task', 'inbox_request', 'saved_document', 'patient']],
  ['events, deliveries, attempts', ['event', 'delivery', 'attempt']],
  ['audit log', ['audit']],
]

const bytesOf = ({ added, tasks }: Stored, tables: readonly string[]): number =>
  tables.reduce((sum, table) => sum + (added.bytes.get(table) ?? 0), 0) / tasks
const rowsOf = ({ added, tasks }: Stored, tables: readonly string[]): number =>
  tables.reduce((sum, table) => sum + (added.rows.get(table) ?? 0), 0) / tasks

function perTask(stored: readonly Stored[]): string {
  const lines = GROUPS.map(([name, tables]) => [
    name,
    rowsOf(stored[0]!, tables).toFixed(1),
    ...stored.map((one) => whole(bytesOf(one, tables))),
  ])
  const all = ['all of it', '', ...stored.map((one) => whole(total(one.added) / one.tasks))]
  const log = ['write-ahead log', '', ...stored.map(({ added, tasks }) => whole(added.log, tasks))]
  return table(['bytes of a task', 'rows', ...stored.map(({ place }) => place)], [...lines, all, log])
}

function removal(stored: readonly Stored[]): string {
  return table(
    ['', ...stored.map(({ place }) => place)],
    [
      ['tasks removed per second', ...stored.map(({ removedPerSecond }) => whole(removedPerSecond))],
      ['log of removing one, bytes', ...stored.map(({ removalLog, tasks }) => whole(removalLog, tasks))],
      ['one of those that come again adds, bytes', ...stored.map(({ addedAgain, tasks }) => whole(addedAgain, tasks))],
    ],
  )
}

function month(stored: readonly Stored[]): string {
  const tera = (bytesOfTask: number | null) =>
    bytesOfTask === null ? '–' : `${((bytesOfTask * TASKS_A_MONTH) / 1e12).toFixed(2)} TB`
  const documents = (one: Stored) => bytesOf(one, ['document'])
  const lines = table(
    ['in a month', ...stored.map(({ place }) => place)],
    [
      ['documents', ...stored.map((one) => tera(documents(one)))],
      ['all else', ...stored.map((one) => tera(total(one.added) / one.tasks - documents(one)))],
      ['write-ahead log', ...stored.map(({ added, tasks }) => tera(added.log === null ? null : added.log / tasks))],
    ],
  )
  const postgres = stored.find(({ place }) => place === 'PostgreSQL')!
  const audited = postgres.audited / postgres.tasks
  return `${lines}

A task adds ${audited.toFixed(0)} rows to the audit log, its removal among them. In PostgreSQL they are numbered up to ${LAST_ID}, which is
reached after ${(LAST_ID / audited / TASKS_A_MONTH).toFixed(0)} such months.`
}

const whole = (bytes: number | null, by = 1): string => (bytes === null ? '–' : (bytes / by).toFixed(0))
