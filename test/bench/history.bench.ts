/**
 * The history of a signer with 5,000 documents, among those of others: how long its first page, the next ones and searches take,
 * in SQLite. A search that finds nothing looks at as many documents as one call may, so none takes longer.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { searchFor } from '../../lib/search.ts'
import { DEFAULT_PAGE_SIZE } from '../../server/choices.ts'
import { past } from '../../server/operations/signer/as-shown.ts'
import { findPast } from '../../server/operations/signer/past/search.ts'
import { openStore } from '../../server/store/store.ts'
import { MASTER_KEY, manyTasks, SIGNER_NPI } from '../support/store/many-tasks.ts'
import { percentile, stopOf } from './flatness.ts'

const DOCUMENTS = 5_000
/** Of which the signer has a tenth, and a third of those is signed or rejected and not archived. */
const TASKS = 150_000
const CALLS = 60
const WARM_UP = 5
const MOST_MS = 50

const folder = mkdtempSync(join(tmpdir(), 'countersign-history-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
const data = join(folder, 'data')
mkdirSync(data, { mode: 0o700 })
await manyTasks(data, MASTER_KEY, TASKS)
const store = await openStore(data, MASTER_KEY)
const inbox = store.forSigner(SIGNER_NPI, { kind: 'signer', id: null })

const all = (await inbox.past(TASKS)).map(({ taskId }) => taskId)
if (all.length < DOCUMENTS) throw new Error(`There are only ${all.length} documents; raise TASKS.`)
const page = async (before?: number) => (await inbox.past(DEFAULT_PAGE_SIZE, before)).map(past)
const search = (words: string, before?: number) => findPast(inbox, searchFor(words), before)
const last = all[DOCUMENTS - DEFAULT_PAGE_SIZE - 1]!

const reads: Readonly<Record<string, () => Promise<unknown>>> = {
  'first page': () => page(),
  'second page': () => page(all[DEFAULT_PAGE_SIZE - 1]),
  'last page': () => page(last),
  'search that finds a page': () => search('order'),
  'search that finds nothing': () => search('nobody'),
  'search for a date that nobody has': () => search('05/14/1902'),
  'search that goes on far back': () => search('nobody', all[DOCUMENTS - 1_100]),
}
console.log(
  `${all.length} documents of one signer, in ms${['median', 'p95', 'longest stop'].map((of) => of.padStart(14)).join('')}`,
)
for (const [name, run] of Object.entries(reads)) {
  const times: number[] = []
  for (let call = -WARM_UP; call < CALLS; call++) {
    const begun = performance.now()
    await run()
    if (call >= 0) times.push(performance.now() - begun)
  }
  const figures = [percentile(times, 0.5), percentile(times, 0.95), await stopOf({ run })]
  console.log(name.padEnd(40) + figures.map((ms) => ms.toFixed(1).padStart(14)).join(''))
  if (figures[1]! > MOST_MS) process.exitCode = 1
}
await store.close()
