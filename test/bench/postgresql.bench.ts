/**
 * Create, ingest and deliver with one, two and four processes of the built service on one PostgreSQL, what limits it, and how many
 * connections each process needs; written to docs/performance-postgresql.md with the machine. Needs a build and Linux, and takes
 * ten minutes. `npm run bench -- postgresql`
 */
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { STORE_CONNECTIONS } from '../../server/choices.ts'
import { aPostgres } from '../support/store/postgres/a-postgres.ts'
import { load, writePage } from './pages/written-page.ts'
import { chainCommitsPerSecond } from './postgresql/chain-commits.ts'
import { measureInTurns, RUNS } from './postgresql/measure.ts'
import { pageOf } from './postgresql/page.ts'

const PROCESSES = [1, 2, 4]
/** With which two processes are measured. */
const CONNECTIONS = [2, 5, STORE_CONNECTIONS, 20]

const loadBefore = load()
const receiver = new Worker(new URL('./receiver-thread.ts', import.meta.url))
const [{ port }] = (await once(receiver, 'message')) as [{ port: number }]
const url = `http://127.0.0.1:${port}/callbacks`
const postgres = await aPostgres('waited for')

try {
  const commits = async () => chainCommitsPerSecond(await postgres.database())
  const before = await commits()
  const processes = PROCESSES.map((processes) => ({ processes, connections: STORE_CONNECTIONS }))
  const connections = CONNECTIONS.map((connections) => ({ processes: 2, connections }))
  const scaled = await measureInTurns(postgres, url, processes, 'callbacks')
  const between = await commits()
  const pooled = await measureInTurns(postgres, url, connections, 'nothing else')
  // A limit: other work on the machine can only make it seem lower.
  const chainCommits = Math.max(before, between, await commits())
  const measured = pageOf({ scaled, pooled, chainCommits })
  console.log(measured)
  writePage({
    path: 'docs/performance-postgresql.md',
    title: 'Several processes on one PostgreSQL',
    how: `Written by \`npm run bench -- postgresql\`: median of ${RUNS} runs, and the smallest and the largest of them. Runs of
the lines of a table take turns, so other work on the machine slows down all of them.`,
    loadBefore,
    measured,
  })
} finally {
  await Promise.all([postgres.stop(), receiver.terminate()])
}
