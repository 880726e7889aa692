/**
 * What the service, its reader and the webhook node cost, beside their floors in the same run. Five runs each, medians; written to
 * docs/performance.md with the machine. Needs a build and takes some minutes. `npm run bench -- overview`
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRows } from './overview/create.ts'
import { deliveriesRow } from './overview/deliveries.ts'
import { drawnRows } from './overview/drawn.ts'
import { installedRow } from './overview/installed.ts'
import { locateRows } from './overview/locate.ts'
import { restRow } from './overview/rest.ts'
import { lineOf, RUNS } from './overview/row.ts'
import { signRow } from './overview/sign.ts'
import { startRows } from './overview/start.ts'
import { webhookInRow } from './overview/webhook-in.ts'
import { load, writePage } from './pages/written-page.ts'

const folder = mkdtempSync(join(tmpdir(), 'countersign-bench-'))
const loadBefore = load()
try {
  const rows = [
    ...(await startRows(join(folder, 'start'))),
    await restRow(join(folder, 'rest')),
    ...(await createRows(folder)),
    await signRow(),
    ...(await drawnRows()),
    ...(await locateRows()),
    await deliveriesRow(folder),
    await webhookInRow(),
    installedRow(),
  ]
  const measured = [
    '| work | here | floor, in the same runs | ratio |',
    '| --- | --- | --- | --- |',
    ...rows.map(lineOf),
  ].join('\n')
  console.log(measured)
  writePage({
    path: 'docs/performance.md',
    title: 'Performance',
    how: `Written by \`npm run bench -- overview\`: median of ${RUNS} runs, and the smallest and the largest of them. Ours and the floor take
turns, so other work on the machine slows down both: rely on the ratios. \`npm run bench\` runs further benchmarks.`,
    loadBefore,
    measured,
  })
} finally {
  rmSync(folder, { recursive: true, force: true })
}
