/** What the soak judges by; and that it runs. */
import { join } from 'node:path'
import { expect } from 'chai'
import { percentile } from '../../scripts/soak/latencies.ts'
import { judgeMemory } from '../../scripts/soak/memory.ts'
import { ensureBuilt, root } from '../support/built.ts'
import { ran } from '../support/processes.ts'

const EVERY_MS = 10_000
/** Half an hour. */
const SAMPLES = 180
const curve = (bytes: (minute: number) => number) => Array.from({ length: SAMPLES }, (_, index) => bytes(index / 6))
const isFlat = (bytes: (minute: number) => number) => judgeMemory(curve(bytes), EVERY_MS).isFlat

describe('The memory of a soak', () => {
  it('is flat when it goes up and down, and when it grew while the service warmed up', () => {
    expect(isFlat((minute) => 400e6 + 60e6 * Math.sin(minute * 7))).to.equal(true)
    expect(isFlat((minute) => Math.min(450e6, 120e6 + minute * 80e6))).to.equal(true)
  })

  it('is not flat when it grows by 5 MB a minute, or in one step that stays', () => {
    expect(isFlat((minute) => 400e6 + minute * 5e6)).to.equal(false)
    expect(isFlat((minute) => (minute < 18 ? 400e6 : 500e6))).to.equal(false)
  })

  it('tells nothing after a run that was too short', () => {
    expect(judgeMemory(curve((minute) => 400e6 + minute * 5e6).slice(0, 12), EVERY_MS).isFlat).to.equal(null)
  })
})

describe('A percentile', () => {
  it('is a value of those given', () => {
    const values = [5, 1, 4, 2, 3]
    expect([0, 0.5, 0.99, 1].map((share) => percentile(values, share))).to.deep.equal([1, 3, 5, 5])
    expect(percentile([], 0.5)).to.equal(0)
  })
})

describe('npm run soak', function () {
  this.timeout(240_000)
  before(ensureBuilt)

  it('ends with 0 when nothing was lost, and prints its figures', async () => {
    const { code, stdout, stderr } = await ran([join(root, 'scripts/soak.ts'), '--minutes', '0.1'])
    expect({ code, stderr }, stdout).to.deep.equal({ code: 0, stderr: '' })
    expect(stdout)
      .to.match(/^create +\d+ calls +p50 \d+ ms +p99 \d+ ms/m)
      .and.match(/^kept +\d+ creates, \d+ outcomes; 0 broken$/m)
      .and.contain('too short a run to tell')
  })

  it('refuses what it does not understand', async () => {
    const refusal = async (...args: string[]) => {
      const { code, stderr } = await ran([join(root, 'scripts/soak.ts'), ...args])
      expect(code).to.equal(2)
      return stderr
    }
    expect(await refusal('--minutes', 'x')).to.equal('soak: --minutes: a number above 0\n')
    expect(await refusal('--hours', '1')).to.match(/^soak: Unknown option '--hours'.*\n$/)
  })
})
