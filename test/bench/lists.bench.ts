/**
 * Every list and every read of the pages among a million tasks, beside the same among a thousand, in SQLite and PostgreSQL: a
 * line for each row of the interface. Then for how long one call stopped the event loop, of reads with pages of the largest size
 * and of changes of many rows. Written to docs/performance-lists.md. It takes a good quarter of an hour, most of it to make the
 * stores, and 6 GB below the folder for temporary files. `npm run bench -- lists 100000` has fewer tasks.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openStore, type Store } from '../../server/store/store.ts'
import { MASTER_KEY, manyTasks } from '../support/store/many-tasks.ts'
import { aPostgres } from '../support/store/postgres/a-postgres.ts'
import { readsOf } from '../support/store/reads.ts'
import { worksOf } from '../support/store/works.ts'
import { compare, MOST_RATIO, ROUNDS, stopOf, stopOfOnce } from './flatness.ts'
import { allFlat, type Lists, nameOf, nothingStands, pageOf, type Stop } from './lists/page.ts'
import { load, writePage } from './pages/written-page.ts'

const SMALL = 1_000
const LARGE = Number(process.argv[2] ?? 1_000_000)
/** The most that a caller may ask for. */
const LARGEST_PAGE = 500

async function stopsOfReads(store: Store): Promise<Stop[]> {
  const stops: Stop[] = []
  for (const read of readsOf(store, LARGEST_PAGE)) stops.push({ of: nameOf(read), stoppedMs: await stopOf(read) })
  return stops
}

async function stopsOfChanges(store: Store): Promise<Lists['stopsOfChanges']> {
  const stops = []
  for (const { name, run } of worksOf(store)) {
    const begun = performance.now()
    const stoppedMs = await stopOfOnce(run)
    stops.push({ of: name, stoppedMs, tookMs: performance.now() - begun })
  }
  return stops
}

async function measure(database: string, newPlace: (name: string) => Promise<string>): Promise<Lists> {
  const open = async (name: string, count: number) => {
    const begun = performance.now()
    const data = await newPlace(name)
    await manyTasks(data, MASTER_KEY, count)
    console.log(`${database}: ${count} tasks made in ${((performance.now() - begun) / 1000).toFixed(0)} s`)
    return openStore(data, MASTER_KEY)
  }
  const [small, large] = [await open('small', SMALL), await open('large', LARGE)]
  const lists = {
    database,
    reads: await compare(readsOf(small), readsOf(large)),
    stopsOfReads: await stopsOfReads(large),
    stopsOfChanges: await stopsOfChanges(large),
  }
  await Promise.all([small.close(), large.close()])
  return lists
}

async function inFolder(): Promise<Lists> {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-lists-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const lists = await measure('SQLite', async (name) => {
    const data = join(folder, name)
    mkdirSync(data, { mode: 0o700 })
    return data
  })
  rmSync(folder, { recursive: true, force: true })
  return lists
}

async function inPostgres(): Promise<Lists> {
  const postgres = await aPostgres()
  try {
    return await measure('PostgreSQL', () => postgres.database())
  } finally {
    await postgres.stop()
  }
}

const loadBefore = load()
const lists = [await inFolder(), await inPostgres()]
const measured = pageOf(lists, { small: SMALL, large: LARGE, largestPage: LARGEST_PAGE })
console.log(measured)
if (!lists.every((one) => allFlat(one) && nothingStands(one))) process.exitCode = 1
writePage({
  path: 'docs/performance-lists.md',
  title: 'Lists among many tasks',
  how: `Written by \`npm run bench -- lists\`. Both stores take turns, so other work on the machine slows down both: rely on the ratios. What is
above ${MOST_RATIO} is measured again after all others, up to ${ROUNDS} times in all, and its best ratio counts.`,
  loadBefore,
  measured,
})
