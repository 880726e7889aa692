/** The runner of `npm run mutants`: a change counts as noticed only when a test that passes without it fails with it. */
import { join } from 'node:path'
import type { StrykerOptions } from '@stryker-mutator/api/core'
import type { DryRunOptions, MutantRunOptions } from '@stryker-mutator/api/test-runner'
import { expect } from 'chai'
import { createRunner } from '../../scripts/mocha-runner.ts'
import { isInSample } from '../../scripts/mutant-sample.ts'
import { scores } from '../../scripts/mutant-scores.ts'

const [FIRST, ASYNC, SECOND] = ['A sum is right', 'A sum comes', 'A sum needs what the first test has left']
const CHANGE = { fileName: 'sum.ts', location: { start: { line: 0, column: 8 } }, mutatorName: 'A', replacement: '3' }

describe('The runner of mutants', () => {
  const scope = globalThis as { __stryker__?: object }
  const tests = [join(import.meta.dirname, '../fixtures/mutated-sum.ts')]
  const runner = createRunner({
    mochaRunner: { tests, limits: { idleMs: 50, hits: 1_000, turns: 1_000 } },
  } as unknown as StrykerOptions)
  const run = (id: string, more: Partial<MutantRunOptions> = {}) =>
    runner.mutantRun({ activeMutant: { ...CHANGE, id }, mutantActivation: 'runtime', ...more } as MutantRunOptions)

  after(() => {
    delete scope.__stryker__
  })

  it('runs all tests once without a change', async () => {
    const result = await runner.dryRun({ coverageAnalysis: 'perTest' } as DryRunOptions)
    expect(result).to.include({ status: 'complete' })
    expect('tests' in result && result.tests.map(({ id, status }) => [id, status])).to.deep.equal([
      [FIRST, 0],
      [ASYNC, 0],
      [SECOND, 0],
      ['What is made with the file is there in each run', 0],
      ['What works alone ends', 0],
      ['What works alone finds nothing that another test has left', 0],
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
    expect(await run('looping')).to.have.deep.property('killedBy', [FIRST])
  })

  it('ends a test that waits for what does not come', async () => {
    expect(await run('waiting')).to.have.deep.property('killedBy', [ASYNC])
    expect(await run('turning')).to.have.deep.property('killedBy', [ASYNC])
    expect(await run('other')).to.include({ status: 'survived' })
  })

  it('tries about the share of the changes that is asked for, and counts those alone', () => {
    const changes = Array.from({ length: 1_000 }, (_, line) => ({
      ...CHANGE,
      location: { start: { line, column: 8 } },
    }))
    const chosen = changes.filter((change) => isInSample(change, 0.2))
    expect(chosen.length).to.be.within(150, 250)
    expect(changes.every((change) => isInSample(change, 1))).to.equal(true)

    const mutants = changes.map(({ mutatorName, replacement, location: { start } }) => ({
      mutatorName,
      replacement,
      location: { start: { line: start.line + 1, column: start.column + 1 } },
      status: chosen.some(({ location }) => location.start.line === start.line) ? 'Killed' : 'RuntimeError',
    }))
    expect(scores(JSON.stringify({ files: { 'lib/sum.ts': { mutants } } }), 0.2)).to.include(
      `| lib/sum.ts | ${chosen.length} | ${chosen.length} | 0 | 100.0 % |`,
    )
  })

  it('starts another process when a test that was ended has left something to the next ones', async () => {
    expect(await run('left', { testFilter: ['What works alone ends'] })).to.include({ status: 'killed' })
    const { exit } = process
    process.exit = () => {
      throw new Error('another process')
    }
    try {
      expect(await run('other').catch((error: Error) => error.message)).to.equal('another process')
    } finally {
      process.exit = exit
    }
  })
})
