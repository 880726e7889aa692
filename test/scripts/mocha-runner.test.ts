/** The runner of `npm run mutants`: a change counts as noticed only when a test that passes without it fails with it. */
import { join } from 'node:path'
import type { StrykerOptions } from '@stryker-mutator/api/core'
import type { DryRunOptions, MutantRunOptions } from '@stryker-mutator/api/test-runner'
import { expect } from 'chai'
import { createRunner } from '../../scripts/mocha-runner.ts'

const [FIRST, SECOND] = ['A sum is right', 'A sum needs what the first test has left']

describe('The runner of mutants', () => {
  const scope = globalThis as { __stryker__?: object }
  const tests = [join(import.meta.dirname, '../fixtures/mutated-sum.ts')]
  const runner = createRunner({ mochaRunner: { tests } } as unknown as StrykerOptions)
  const run = (id: string, more: Partial<MutantRunOptions> = {}) =>
    runner.mutantRun({ activeMutant: { id }, mutantActivation: 'runtime', ...more } as MutantRunOptions)

  after(() => {
    delete scope.__stryker__
  })

  it('runs all tests once without a change', async () => {
    const result = await runner.dryRun({ coverageAnalysis: 'perTest' } as DryRunOptions)
    expect(result).to.include({ status: 'complete' })
    expect('tests' in result && result.tests.map(({ id, status }) => [id, status])).to.deep.equal([
      [FIRST, 0],
      [SECOND, 0],
    ])
  })

  it('tells what is noticed from what is not, in any order', async () => {
    expect(await run('noticed'))
      .to.include({ status: 'killed' })
      .and.have.deep.property('killedBy', [FIRST])
    expect(await run('other')).to.include({ status: 'survived' })
    expect(await run('noticed', { testFilter: [FIRST] })).to.include({ status: 'killed' })
    expect(await run('noticed', { testFilter: [SECOND] })).to.include({ status: 'survived' })
  })

  it('does not blame a change for a test that fails alone without it', async () => {
    expect(await run('other', { testFilter: [SECOND] })).to.include({ status: 'survived' })
    expect(await run('noticed', { testFilter: [FIRST, SECOND], disableBail: true })).to.have.deep.property('killedBy', [
      FIRST,
    ])
  })

  it('ends what is reached too often', async () => {
    expect(await run('endless', { hitLimit: 100 })).to.include({ status: 'timeout' })
    expect(await run('other', { hitLimit: 100 })).to.include({ status: 'survived' })
  })
})
