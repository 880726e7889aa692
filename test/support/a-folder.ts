/** Folders for the data of tests, removed when the tests end. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const made: string[] = []

// Registered outside of every suite, this runs after the last test of the run.
after(() => {
  for (const folder of made) rmSync(folder, { recursive: true, force: true })
})

export function aFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-test-'))
  made.push(folder)
  return folder
}
