/**
 * What the service costs, beside its floors in the same run: start, memory, create and ingestion, signing, size. Five runs each,
 * medians; written to docs/performance.md with the machine. Needs a build and takes some minutes. `npm run bench -- overview`
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRows } from './overview/create.ts'
import { installedRow } from './overview/installed.ts'
import { lineOf, RUNS } from './overview/row.ts'
import { signRow } from './overview/sign.ts'
import { startRows } from './overview/start.ts'

const root = join(import.meta.dirname, '../..')
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
const folder = mkdtempSync(join(tmpdir(), 'countersign-bench-'))
const load = () => loadavg()[0]!.toFixed(1)
const before = load()
try {
  const rows = [
    ...(await startRows(join(folder, 'start'))),
    ...(await createRows(folder)),
    await signRow(),
    installedRow(),
  ]
  const table = [
    '| work | here | floor, in the same runs | ratio |',
    '| --- | --- | --- | --- |',
    ...rows.map(lineOf),
  ].join('\n')
  const machine = `${cpus().length} × ${cpus()[0]!.model}, Node.js ${process.version}`
  const day = new Date().toISOString().slice(0, 10)
  console.log(table)
  writeFileSync(
    join(root, 'docs/performance.md'),
    `# Performance

Written by \`npm run bench -- overview\`: median of ${RUNS} runs, and the smallest and the largest of them. Ours and the floor take
turns, so other work on the machine slows down both: rely on the ratios. \`npm run bench\` runs further benchmarks.

Version ${version}, ${day}, ${machine}; load of the machine ${before} before and ${load()} after.

${table}
`,
  )
  execFileSync(join(root, 'node_modules/.bin/biome'), ['format', '--write', 'docs/performance.md'], { cwd: root })
} finally {
  rmSync(folder, { recursive: true, force: true })
}
