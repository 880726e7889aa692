/** Folders for the data of tests, removed when the tests end. Mocha loads this before every test. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const made: string[] = []

export const mochaHooks = {
  afterAll() {
    for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true })
  },
}

export function aFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-test-'))
  made.push(folder)
  return folder
}
