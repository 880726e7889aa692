/** What runs jobs in threads, and gives memory back after them. */
import { expect } from 'chai'
import { defaultLimits } from '../../../lib/pdf/guard/limits.ts'
import { createJobRunner, type JobRunner } from '../../../server/pdf/workers/job-runner.ts'
import { aPdf } from '../../support/pdf/a-pdf.ts'

describe('what runs jobs on documents', () => {
  let calls: string[]
  let runner: JobRunner

  beforeEach(() => {
    calls = []
    const resting = { worked: () => void calls.push('worked'), close: () => void calls.push('closed') }
    runner = createJobRunner({
      limits: defaultLimits,
      threads: 1,
      group: undefined,
      isGuest: false,
      idleMs: 20_000,
      resting,
    })
  })

  it('gives memory back after each job, and no more when it has closed', async () => {
    const question = {
      pdf: await aPdf({}),
      annotations: { type: 'SmartAnnotations' } as const,
      templateFields: [],
      tokens: [],
    }
    for (const expected of [1, 2]) {
      await runner.run('place', question)
      expect(calls).to.deep.equal(Array(expected).fill('worked'))
    }
    await runner.close()
    expect(calls.at(-1)).to.equal('closed')
  })

  it('closes without a job', async () => {
    await runner.close()
    expect(calls).to.deep.equal(['closed'])
  })
})
