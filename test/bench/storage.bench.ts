/**
 * How many bytes a task takes in SQLite and in PostgreSQL, and what retention gives back; written to docs/performance-storage.md.
 * It takes a few minutes, and 1 GB below the folder for temporary files. `npm run bench -- storage 500` has fewer tasks.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { largeOrder } from '../../scripts/soak/large-order.ts'
import { completeDocument } from '../../server/pdf/complete.ts'
import { aCompletion } from '../support/pdf/a-completion.ts'
import { aBucket } from '../support/store/a-bucket.ts'
import { aPostgres } from '../support/store/postgres/a-postgres.ts'
import { load, writePage } from './pages/written-page.ts'
import { measure, type Stored } from './storage/measure.ts'
import { pageOf } from './storage/page.ts'

const TASKS = Number(process.argv[2] ?? 1_000)
const DOCUMENT_BYTES = 100_000

const loadBefore = load()
const order = await largeOrder(DOCUMENT_BYTES)
const signed = await completeDocument(order, await aCompletion())
if (!signed.ok) throw new Error(signed.problem)
const sizes = { received: order.length, signed: signed.pdf.length }

async function inFolder(): Promise<Stored> {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-storage-'))
  const data = join(folder, 'data')
  mkdirSync(data, { mode: 0o700 })
  try {
    return await measure('SQLite', data, TASKS, sizes)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function besidePostgres(): Promise<Stored> {
  const postgres = await aPostgres('waited for')
  const bucket = await aBucket()
  try {
    return await measure('PostgreSQL, object storage', await postgres.database(), TASKS, sizes, bucket.place)
  } finally {
    await postgres.stop()
    await bucket.stop()
    rmSync(bucket.directory, { recursive: true, force: true })
  }
}

async function inPostgres(): Promise<Stored> {
  const postgres = await aPostgres('waited for')
  try {
    return await measure('PostgreSQL', await postgres.database(), TASKS, sizes)
  } finally {
    await postgres.stop()
  }
}

const measured = pageOf([await inFolder(), await inPostgres(), await besidePostgres()], sizes)
console.log(measured)
writePage({
  path: 'docs/performance-storage.md',
  title: 'What a task takes to store',
  how: 'Written by `npm run bench -- storage`.',
  loadBefore,
  measured,
})
