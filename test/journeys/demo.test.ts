/** `npm run demo` as its user runs it: a program of its own, judged by what it prints, leaves behind and exits with. */
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { verifySealed } from '../../lib/pdf/seal/verify.ts'
import { ran } from '../support/processes.ts'

const root = join(import.meta.dirname, '../..')

describe('npm run demo', () => {
  it('takes one document from end to end, prints a line for each step, and leaves the signed PDF', async () => {
    const file = join(root, 'out/signed.pdf')
    rmSync(file, { force: true })
    const { code, stdout, stderr } = await ran(['scripts/demo.ts'], { cwd: root })
    expect(code, stderr).to.equal(0)
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
    expect(verdict.signatures[0]).to.include({ state: 'valid', coversWholeDocument: true })
  })
})
