/** Writes what a benchmark measured into a page of the documents, with the machine and its load. */
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { cpus, loadavg } from 'node:os'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../../..')

/** The load of the machine, as an average of the last minute. */
export const load = (): string => loadavg()[0]!.toFixed(1)

export interface Page {
  /** For example `docs/performance.md`. */
  path: string
  title: string
  /** How it was measured. */
  how: string
  /** What `load` gave before. */
  loadBefore: string
  /** Markdown. */
  measured: string
}

export function writePage({ path, title, how, loadBefore, measured }: Page): void {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
  const machine = `${cpus().length} × ${cpus()[0]!.model}, Node.js ${process.version}`
  const day = new Date().toISOString().slice(0, 10)
  writeFileSync(
    join(root, path),
    `# ${title}

${how}

Version ${version}, ${day}, ${machine}; load of the machine ${loadBefore} before and ${load()} after.

${measured}
`,
  )
  execFileSync(join(root, 'node_modules/.bin/biome'), ['format', '--write', path], { cwd: root })
}
