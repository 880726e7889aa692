/**
 * Every list and every read of the pages among a million tasks, beside the same among a thousand, in SQLite and PostgreSQL: a
 * line for each row of the interface, with the set of filters that came off worst. Then for how long one call stopped the event
 * loop, of reads with pages of the largest size and of changes of many rows. It takes a good quarter of an hour, most of it to
 * make the stores, and 6 GB below the folder for temporary files. `npm run bench -- lists 100000` has fewer tasks.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openStore, type Store } from '../../server/store/store.ts'
import { aPostgres } from '../support/store/a-postgres.ts'
import { MASTER_KEY, manyTasks } from '../support/store/many-tasks.ts'
import { PAGE, type Read, readsOf } from '../support/store/reads.ts'
import { worksOf } from '../support/store/works.ts'
import {
  compare,
  FLOOR_MS,
  isFlat,
  type Measured,
  MOST_RATIO,
  MOST_STOPPED_MS,
  percentile,
  ratioOf,
  stopOf,
  stopOfOnce,
} from './flatness.ts'

const SMALL = 1_000
const LARGE = Number(process.argv[2] ?? 1_000_000)
/** The most that a caller may ask for. */
const LARGEST_PAGE = 500

function tellReads(database: string, measured: readonly Measured[]): void {
  const head = ['reads', `${SMALL}`, `${LARGE}`, 'ratio'].map((text) => text.padStart(8)).join('')
  console.log(`${`${database}: p95 in ms, pages of ${PAGE}`.padEnd(44)}${head}  worst of them`)
  for (const of of new Set(measured.map(({ read }) => read.of))) {
    const rows = measured.filter(({ read }) => read.of === of)
    // One that is not flat, or else the one that took longest.
    const weight = (row: Measured) => (isFlat(row) ? 0 : 1e6) + row.large
    const worst = rows.reduce((a, b) => (weight(b) > weight(a) ? b : a))
    const figures = [worst.small, worst.large, ratioOf(worst)].map((figure) => figure.toFixed(2).padStart(8)).join('')
    console.log(`${of.padEnd(44)}${String(rows.length).padStart(8)}${figures}  ${filtersOf(worst.read)}`)
  }
  const flat = measured.filter(isFlat).length
  if (flat < measured.length) process.exitCode = 1
  console.log(
    `${database}: ${flat} of ${measured.length} reads take up to ${MOST_RATIO} times as long, or less than ${FLOOR_MS} ms; ` +
      `median ratio ${percentile(measured.map(ratioOf), 0.5).toFixed(2)}, ` +
      `longest p95 ${Math.max(...measured.map(({ large }) => large)).toFixed(1)} ms`,
  )
}

async function tellStops(database: string, store: Store): Promise<void> {
  const stops: (readonly [ms: number, of: string])[] = []
  for (const read of readsOf(store, LARGEST_PAGE)) stops.push([await stopOf(read), `${read.of} ${filtersOf(read)}`])
  tellLongest(`${database}: one read, with pages of ${LARGEST_PAGE}, stopped the loop for up to`, stops)
  const changes: typeof stops = []
  for (const { name, run } of worksOf(store)) {
    const begun = performance.now()
    const ms = await stopOfOnce(run)
    changes.push([ms, name])
    console.log(`${name.padEnd(44)}${ms.toFixed(0).padStart(8)} ms of ${(performance.now() - begun).toFixed(0)}`)
  }
  tellLongest(`${database}: one change of many rows stopped the loop for up to`, changes)
}

function tellLongest(text: string, stops: readonly (readonly [ms: number, of: string])[]): void {
  const [ms, of] = stops.reduce((a, b) => (b[0] > a[0] ? b : a))
  console.log(`${text} ${ms.toFixed(0)} ms: ${of}`)
  if (ms > MOST_STOPPED_MS) process.exitCode = 1
}

const filtersOf = ({ filters }: Read) =>
  Object.entries(filters)
    .map(([name, value]) => `${name}=${value}`)
    .join('&')

async function measure(database: string, newPlace: (name: string) => Promise<string>): Promise<void> {
  const open = async (name: string, count: number) => {
    const begun = performance.now()
    const data = await newPlace(name)
    await manyTasks(data, MASTER_KEY, count)
    console.log(`${database}: ${count} tasks made in ${((performance.now() - begun) / 1000).toFixed(0)} s`)
    return openStore(data, MASTER_KEY)
  }
  const [small, large] = [await open('small', SMALL), await open('large', LARGE)]
  tellReads(database, await compare(readsOf(small), readsOf(large)))
  await tellStops(database, large)
  await Promise.all([small.close(), large.close()])
}

const folder = mkdtempSync(join(tmpdir(), 'countersign-lists-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
await measure('SQLite', async (name) => {
  const data = join(folder, name)
  mkdirSync(data, { mode: 0o700 })
  return data
})
rmSync(folder, { recursive: true, force: true })
const postgres = await aPostgres()
await measure('PostgreSQL', () => postgres.database())
await postgres.stop()
