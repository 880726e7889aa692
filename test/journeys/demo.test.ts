/** `npm run demo` as its user runs it: a program of its own, judged by what it prints, leaves behind and exits with. */
import { execFile } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { verifySealed } from '../../server/pdf/verify.ts'

const root = join(import.meta.dirname, '../..')
const run = promisify(execFile)

describe('npm run demo', () => {
  it('takes one document end to end, a line for each step, and leaves the signed PDF', async () => {
    const file = join(root, 'out/signed.pdf')
    rmSync(file, { force: true })
    const { stdout } = await run(process.execPath, ['scripts/demo.ts'], { cwd: root })
    const steps = stdout
      .trim()
      .split('\n')
      .map((line) => line.slice(0, 16).trim())
    expect(steps).to.deep.equal([
      'service',
      'subscribed',
      'created',
      'Pending',
      'signed',
      'event verified',
      'downloaded',
      'recorded',
    ])
    const verdict = verifySealed(readFileSync(file))
    expect(verdict).to.include({ valid: true })
  })
})
