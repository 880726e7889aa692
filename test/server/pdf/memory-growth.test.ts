/** What a document is blamed for: memory that the process has gained, and that the serving thread does not use itself. */
import { expect } from 'chai'
import { growthBytes } from '../../../server/pdf/workers/memory-growth.ts'

const before = { process: 500, others: 100 }

describe('the growth of a process while a document is read', () => {
  for (const [what, now, growth] of [
    ['counts what a worker thread takes', { process: 900, others: 500 }, 400],
    ['leaves out what the serving thread takes', { process: 900, others: 100 }, 0],
    ['leaves out what the serving thread frees and the process still holds', { process: 500, others: 400 }, 0],
    [
      'counts only what is new when a worker takes what the serving thread has freed',
      { process: 550, others: 450 },
      50,
    ],
  ] as const)
    it(what, () => expect(growthBytes(before, now)).to.equal(growth))
})
