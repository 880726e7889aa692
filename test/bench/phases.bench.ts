/**
 * Where the processor time of a create and of a signature goes: part by part for orders of four producers, and by thread in the built
 * service. Written to docs/performance-phases.md. Needs a build, and Linux for the threads. `npm run bench -- phases`
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { InflateAtOnce } from '../../server/pdf/workers/inflate-at-once.ts'
import { fixture } from '../support/fixtures.ts'
import { aCompletion, aField } from '../support/pdf/a-completion.ts'
import { rounded } from './overview/row.ts'
import { table } from './pages/table.ts'
import { load, writePage } from './pages/written-page.ts'
import { acceptInPhases } from './phases/accept.ts'
import { inPhases } from './phases/phase-clock.ts'
import { ALL_OF_SIGNING, signInPhases } from './phases/sign.ts'
import { createByThread } from './phases/threads.ts'

const orders = ['libreoffice', 'chromium', 'ghostscript', 'reportlab-plain']
const pdfs = orders.map((name) => Buffer.from(fixture(`pdf/orders/${name}-order.pdf`)))
// As the threads that read documents.
globalThis.DecompressionStream = InflateAtOnce

const loadBefore = load()
const completion = await aCompletion({ fields: [aField()] })

const accepted: Map<string, number>[] = []
const signed: Map<string, number>[] = []
for (const pdf of pdfs) {
  accepted.push(await inPhases((clock) => acceptInPhases(pdf, clock)))
  signed.push(await inPhases((clock) => signInPhases(pdf, completion, clock)))
}

/** A row for each part, a column for each order. */
function inTable(columns: readonly Map<string, number>[], whole?: string): string {
  const parts = [...new Set(columns.flatMap((column) => [...column.keys()]))].filter((part) => part !== whole)
  const shown = (value: number | undefined) => (value === undefined ? '–' : rounded(value))
  const sum = (column: Map<string, number>) => parts.reduce((total, part) => total + (column.get(part) ?? 0), 0)
  const rows = parts.map((part) => [part, ...columns.map((column) => shown(column.get(part)))])
  const last = whole
    ? [
        [
          'Certificate page, seal, and all between',
          ...columns.map((column) => shown(column.get(whole)! - sum(column))),
        ],
        [whole, ...columns.map((column) => shown(column.get(whole)))],
      ]
    : [['All of it', ...columns.map((column) => shown(sum(column)))]]
  return table(['ms', ...orders], [...rows, ...last])
}

const folder = mkdtempSync(join(tmpdir(), 'countersign-bench-'))
try {
  const byThread = await createByThread(join(folder, 'data'), pdfs[0]!)
  const all = [...byThread.values()].reduce((sum, ms) => sum + ms, 0)
  const threads = [...byThread, ['All of it', all] as const].map(([use, ms]) => [use, rounded(ms)])
  const measured = `## A document that is accepted, and its fields placed

${inTable(accepted)}

## A signature

${inTable(signed, ALL_OF_SIGNING)}

## A create and its ingestion, by thread

An order of 36 kB (libreoffice), eight connections, the built service.

${table(['threads', 'ms for each create'], threads)}
`
  console.log(measured)
  writePage({
    path: 'docs/performance-phases.md',
    title: 'Where the time goes',
    how: `Written by \`npm run bench -- phases\`: processor time, medians. What it means for the figures of
[performance.md](performance.md), and what was tried, is in [performance-limits.md](performance-limits.md).`,
    loadBefore,
    measured,
  })
} finally {
  rmSync(folder, { recursive: true, force: true })
}
